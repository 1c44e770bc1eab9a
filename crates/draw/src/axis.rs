//! Axes of charts: from values to places, and which values are named.

/// How values are spread along an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal differences are equally long.
    Linear,
    /// Equal ratios are equally long; values must be above 0.
    Logarithmic,
}

/// An axis of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// What is shown, with its unit.
    pub label: String,
    /// How it is spread.
    pub scale: Scale,
    /// The values that are named; if there are none, round ones are.
    pub ticks: Vec<f64>,
}

/// An axis with its range, along a number of pixels.
pub(crate) struct Ruler {
    scale: Scale,
    low: f64,
    high: f64,
    pub(crate) ticks: Vec<f64>,
}

impl Ruler {
    /// A ruler for the given values; those that the axis has no place for are left out.
    pub(crate) fn new(axis: &Axis, values: impl Iterator<Item = f64>) -> Ruler {
        let scale = axis.scale;
        let values: Vec<f64> = values.chain(axis.ticks.iter().copied()).filter(|v| fits(scale, *v)).collect();
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (least, most) = if least <= most { (least, most) } else { (1.0, 10.0) };
        let (low, high) = match scale {
            Scale::Logarithmic => (least / 1.12, most * 1.12),
            Scale::Linear => {
                let spare = 0.05 * if most > least { most - least } else { 1.0 };
                (if least == 0.0 { 0.0 } else { least - spare }, most + spare)
            }
        };
        let ticks = match axis.ticks.is_empty() {
            false => axis.ticks.iter().copied().filter(|tick| fits(scale, *tick)).collect(),
            true => round(scale, low, high),
        };
        Ruler { scale, low, high, ticks }
    }

    /// How far along the axis a value is, from 0 to 1; `None` where it has no place.
    pub(crate) fn place(&self, value: f64) -> Option<f64> {
        if !fits(self.scale, value) {
            return None;
        }
        Some(match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Logarithmic => (value / self.low).ln() / (self.high / self.low).ln(),
        })
    }
}

fn fits(scale: Scale, value: f64) -> bool {
    value.is_finite() && (scale == Scale::Linear || value > 0.0)
}

/// Round values between two: 1, 2, 5 times powers of ten, or multiples of such a step.
fn round(scale: Scale, low: f64, high: f64) -> Vec<f64> {
    let decades = (-12..=15).flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(power)));
    match scale {
        Scale::Logarithmic => decades.filter(|tick| (low..=high).contains(tick)).collect(),
        Scale::Linear => {
            let step = decades.into_iter().find(|step| (high - low) / step <= 8.0).unwrap_or(high - low);
            let first = (low / step).ceil() as i64;
            let last = (high / step).floor() as i64;
            (first..=last).map(|count| count as f64 * step).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(scale: Scale) -> Axis {
        Axis { label: String::new(), scale, ticks: Vec::new() }
    }

    #[test]
    fn ticks_are_round_and_inside() {
        let ruler = Ruler::new(&axis(Scale::Logarithmic), [217.0, 96_125.0].into_iter());
        assert_eq!(ruler.ticks, [200.0, 500.0, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5]);
        let ruler = Ruler::new(&axis(Scale::Linear), [0.0, 3.4].into_iter());
        assert_eq!(ruler.ticks, [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5]);
    }

    #[test]
    fn equal_ratios_are_equally_long() {
        let ruler = Ruler::new(&axis(Scale::Logarithmic), [10.0, 1000.0].into_iter());
        let [a, b, c] = [10.0, 100.0, 1000.0].map(|value| ruler.place(value).unwrap());
        assert!((b - a - (c - b)).abs() < 1e-12);
        assert_eq!(ruler.place(0.0), None);
        assert_eq!(ruler.place(f64::NAN), None);
    }

    #[test]
    fn no_values_are_no_fault() {
        assert!(Ruler::new(&axis(Scale::Linear), [].into_iter()).place(5.0).is_some());
        assert!(Ruler::new(&axis(Scale::Linear), [7.0].into_iter()).place(7.0).is_some());
    }
}
