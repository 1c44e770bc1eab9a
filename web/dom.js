// Small helpers for elements.

/** The element of an id. */
export const at = (id) => document.getElementById(id);

/** A new element; children are text or elements. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, '');
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

/** Gives a file to save. */
export function save(name, content, type = 'text/plain') {
  const link = make('a', { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** Copies text, and says so on the button for a moment. */
export async function copy(button, text) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Not allowed here';
  }
  setTimeout(() => (button.textContent = before), 1500);
}

/** A number with thin groups of three digits. */
export const grouped = (number) => String(number).replace(/\B(?=(\d{3})+$)/g, '\u202f');

/** A word in hexadecimal digits. */
export const hex = (value, bits) => value.toString(16).padStart(bits / 4, '0');
