// The listing: lines of an assembly file with addresses, cycles and products; lines can be changed and deleted.

import { make } from './dom.js';

/** Lines that are shown at most; a longer file is downloaded instead. */
const MOST = 24000;

export class Listing {
  /** `on` has `edit(edits)`, called when lines change, and `select(line)`. */
  constructor(root, on) {
    this.root = root;
    this.on = on;
    this.original = [];
    this.edits = new Map();
    this.done = [];
    this.rows = new Map();
    this.selected = undefined;
    root.addEventListener('click', (event) => this.#click(event));
    root.addEventListener('dblclick', () => this.edit());
    root.addEventListener('keydown', (event) => this.#key(event));
    root.addEventListener('pointerover', (event) => this.#over(event));
    root.addEventListener('pointerleave', () => this.on.hover(undefined));
  }

  /** Shows a file; `places` says which lines are instructions. */
  show(text, places, edits) {
    this.original = text.split('\n');
    if (this.original.at(-1) === '') this.original.pop();
    this.instructions = new Set(places.map(([line]) => line));
    this.edits = edits;
    this.done = [];
    this.selected = undefined;
    this.place(places);
    this.#draw();
  }

  /** Where the instructions stand now. */
  place(places) {
    this.lineOf = new Map(places.map(([line, address]) => [address, line]));
    this.addressOf = new Map(places);
  }

  /** The text with all changes; a deleted line is empty, so that lines keep their numbers. */
  get text() {
    return this.original.map((line, index) => (this.edits.has(index + 1) ? (this.edits.get(index + 1) ?? '') : line)).join('\n') + '\n';
  }

  /** Cycles of each instruction and the products that it makes, by address. */
  annotate(facts) {
    for (const [line, row] of this.rows) {
      if (!this.instructions.has(line)) continue;
      const address = this.addressOf.get(line);
      const fact = address === undefined ? undefined : facts.get(address);
      row.children[1].textContent = address === undefined ? '' : address.toString(16).padStart(4, '0');
      row.children[3].textContent = fact ? fact.products : '';
      row.children[4].textContent = fact ? fact.cycles : '';
    }
  }

  /** Marks the instruction at an address as the one that is executed. */
  now(address, follow) {
    this.root.querySelector('.now')?.classList.remove('now');
    const row = this.rows.get(this.lineOf?.get(address));
    if (!row) return;
    row.classList.add('now');
    if (follow) this.#reveal(row);
  }

  /** Marks instructions for a moment, such as those that make a product. */
  mark(addresses, reveal) {
    for (const row of this.root.querySelectorAll('.marked')) row.classList.remove('marked');
    let first;
    for (const address of addresses) {
      const row = this.rows.get(this.lineOf?.get(address));
      row?.classList.add('marked');
      first ??= row;
    }
    if (reveal && first) this.#reveal(first);
  }

  /** Marks the instruction that is at fault. */
  blame(address) {
    this.root.querySelector('.blamed')?.classList.remove('blamed');
    this.rows.get(this.lineOf?.get(address))?.classList.add('blamed');
  }

  /** Goes to the instruction at an address. */
  go(address) {
    const line = this.lineOf?.get(address);
    if (line) this.select(line, true);
  }

  /** Selects a line. */
  select(line, reveal) {
    const row = this.rows.get(line);
    if (!row) return;
    this.root.querySelector('[aria-selected=true]')?.setAttribute('aria-selected', 'false');
    row.setAttribute('aria-selected', 'true');
    this.root.setAttribute('aria-activedescendant', row.id);
    this.selected = line;
    if (reveal) this.#reveal(row);
    this.on.select(line);
  }

  /** Deletes the selected line. */
  remove() {
    if (this.instructions.has(this.selected)) this.change(this.selected, null);
  }

  /** Lets the selected line be written anew. */
  edit() {
    const row = this.rows.get(this.selected);
    if (!row || !this.instructions.has(this.selected) || row.querySelector('input')) return;
    const line = this.selected;
    const cell = row.children[2];
    const before = (this.edits.get(line) ?? this.original[line - 1]).trim().replace(/\t/g, ' ');
    const input = make('input', { value: before, 'aria-label': `Instruction in line ${line}`, spellcheck: 'false', autocapitalize: 'off' });
    let over = false;
    const end = (keep) => {
      if (over) return;
      over = true;
      const text = input.value.trim();
      if (keep && text !== before) this.change(line, text === '' ? null : `\t${text}`);
      else this.#line(line);
      this.root.focus({ preventScroll: true });
    };
    input.addEventListener('keydown', (event) => {
      event.stopPropagation();
      if (event.key === 'Enter') end(true);
      if (event.key === 'Escape') end(false);
    });
    input.addEventListener('blur', () => end(true));
    cell.replaceChildren(input);
    input.focus();
    input.select();
  }

  /** Changes a line; `null` deletes it. */
  change(line, text) {
    this.done.push([line, this.edits.has(line), this.edits.get(line)]);
    if (text === this.original[line - 1]) this.edits.delete(line);
    else this.edits.set(line, text);
    this.#line(line);
    this.on.edit();
  }

  /** Takes back the last change. */
  undo() {
    const last = this.done.pop();
    if (!last) return this.restore();
    const [line, was, text] = last;
    if (was) this.edits.set(line, text);
    else this.edits.delete(line);
    this.#line(line);
    this.on.edit();
  }

  /** Takes back all changes. */
  restore() {
    const lines = [...this.edits.keys()];
    this.edits.clear();
    this.done = [];
    for (const line of lines) this.#line(line);
    this.on.edit();
  }

  #draw() {
    const rows = document.createDocumentFragment();
    this.rows.clear();
    const end = Math.min(this.original.length, MOST);
    for (let line = 1; line <= end; line++) {
      const row = make('div', { role: 'option', id: `line${line}`, 'data-line': line, 'aria-selected': 'false' });
      row.append(make('span', { class: 'number' }, String(line)), make('span', { class: 'address' }), make('code'), make('span', { class: 'product' }), make('span', { class: 'cycles' }));
      this.rows.set(line, row);
      this.#line(line);
      rows.append(row);
    }
    if (end < this.original.length) rows.append(make('p', {}, `and ${this.original.length - end} more lines, in the file`));
    this.root.replaceChildren(rows);
    this.root.scrollTop = 0;
    const first = [...this.instructions].find((line) => this.rows.has(line));
    if (first) this.root.scrollTop = Math.max(0, this.rows.get(first).offsetTop - this.root.offsetTop - 60);
  }

  /** Shows a line as it is now. */
  #line(line) {
    const row = this.rows.get(line);
    const original = this.original[line - 1];
    const isEdited = this.edits.has(line);
    const text = isEdited ? this.edits.get(line) : original;
    row.className = '';
    const code = row.children[2];
    if (text === null) {
      row.classList.add('deleted');
      code.replaceChildren(make('del', {}, original.trim().replace(/\t/g, ' ')));
      return;
    }
    if (isEdited) row.classList.add('edited');
    if (!this.instructions.has(line)) row.classList.add('around');
    code.replaceChildren(...coloured(text, this.instructions.has(line)));
  }

  #reveal(row) {
    const top = row.offsetTop - this.root.offsetTop;
    const { scrollTop, clientHeight } = this.root;
    if (top < scrollTop + 24 || top > scrollTop + clientHeight - 48) this.root.scrollTop = top - clientHeight / 2;
  }

  #click(event) {
    const row = event.target.closest('[data-line]');
    if (row && !event.target.closest('input')) this.select(Number(row.dataset.line));
  }

  #over(event) {
    const row = event.target.closest('[data-line]');
    this.on.hover(row ? this.addressOf?.get(Number(row.dataset.line)) : undefined);
  }

  #key(event) {
    const move = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 }[event.key];
    if (move) {
      const last = Math.min(this.original.length, MOST);
      const from = this.selected ?? Math.max(0, Math.min(...this.instructions) - 1);
      this.select(Math.min(last, Math.max(1, from + move)), true);
    } else if (event.key === 'Delete' || event.key === 'Backspace') this.remove();
    else if (event.key === 'Enter') this.edit();
    else if (event.key === 'z' && (event.ctrlKey || event.metaKey)) this.undo();
    else return;
    event.preventDefault();
  }
}

/** A line with its mnemonic set apart. */
function coloured(text, isInstruction) {
  const plain = text.replace(/\t/g, ' ');
  if (!isInstruction) return [make('span', { class: 'comment' }, plain)];
  const [, before, mnemonic, rest] = /^(\s*)(\S+)(.*)$/s.exec(plain) ?? [];
  if (!mnemonic) return [plain];
  return [before.slice(0, 2), make('b', {}, mnemonic), rest];
}
