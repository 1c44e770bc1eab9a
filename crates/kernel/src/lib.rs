//! Operations, walks, schedules.
