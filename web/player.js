// A call of the routine, step by step: the product, the registers and the words of memory that light up.

import { at, grouped, hex, make } from './dom.js';

export class Player {
  /** `on.step(player)` is called after each change of place. */
  constructor(on) {
    this.on = on;
    this.steps = [];
    this.place = 0;
    at('step-back').onclick = () => this.#by(-1);
    at('step').onclick = () => this.#by(1);
    at('first').onclick = () => (this.pause(), this.go(0));
    at('last').onclick = () => (this.pause(), this.go(this.steps.length));
    at('run').onclick = () => (this.timer ? this.pause() : this.run());
    at('track').oninput = () => (this.pause(), this.go(Number(at('track').value)));
  }

  /** A new call. */
  show({ played, places, word_bits: bits }) {
    this.pause();
    Object.assign(this, { played, steps: played.steps, bits, place: 0 });
    this.lineOf = new Map(places.map(([line, address]) => [address, line]));
    this.#facts();
    at('track').max = String(this.steps.length);
    this.#layout();
    this.go(0);
  }

  /** Cycles and products of each address, and the addresses of each product. */
  #facts() {
    this.facts = new Map();
    this.addressesOf = new Map();
    this.order = [];
    let before = 0;
    for (const step of this.steps) {
      const cycles = step.cycles - before;
      before = step.cycles;
      const fact = this.facts.get(step.address) ?? { times: 0, least: cycles, most: cycles, made: [] };
      fact.times++;
      fact.least = Math.min(fact.least, cycles);
      fact.most = Math.max(fact.most, cycles);
      for (const [i, j] of step.products ?? []) {
        const product = `${i},${j}`;
        fact.made.push(product);
        if (!this.addressesOf.has(product)) {
          this.addressesOf.set(product, new Set());
          this.order.push([i, j]);
        }
        this.addressesOf.get(product).add(step.address);
      }
      this.facts.set(step.address, fact);
    }
    for (const fact of this.facts.values()) {
      const each = fact.least === fact.most ? String(fact.least) : `${fact.least}\u2013${fact.most}`;
      fact.cycles = fact.times > 1 ? `${each} \u00d7${fact.times}` : each;
      const [first] = fact.made;
      const more = fact.made.length > 1 ? ` +${fact.made.length - 1}` : '';
      fact.products = first ? `A${subscript(first.split(',')[0])}B${subscript(first.split(',')[1])}${more}` : '';
    }
  }

  #layout() {
    this.cells = this.played.buffers.map(({ name, words }) => {
      const cells = Array.from({ length: words }, (_, word) => make('span', { title: `${name}[${word}]` }));
      return { name, cells };
    });
    at('memory').replaceChildren(
      ...this.cells.map(({ name, cells }) =>
        make('div', { class: 'array' }, make('b', {}, name), make('div', { class: `words w${this.bits}` }, ...[...cells].reverse())),
      ),
    );
    this.registers = this.played.registers.map((name) => {
      const value = make('span');
      return { value, box: make('div', { class: 'register' }, make('b', {}, name), value) };
    });
    at('registers').className = `registers w${this.bits}`;
    at('registers').replaceChildren(...this.registers.map(({ box }) => box));
  }

  /** Shows what holds after so many instructions. */
  go(place) {
    this.place = Math.max(0, Math.min(place, this.steps.length));
    const memory = this.played.buffers.map(({ content }) => [...content]);
    const registers = [];
    const done = new Set();
    for (const step of this.steps.slice(0, this.place)) {
      for (const [number, value] of step.registers ?? []) registers[number] = value;
      for (const [buffer, word, value] of step.writes ?? []) memory[buffer][word] = value;
      for (const [i, j] of step.products ?? []) done.add(`${i},${j}`);
    }
    const step = this.steps[this.place - 1];
    const first = this.place === 1;
    const changed = new Set(first ? [] : (step?.registers ?? []).map(([number]) => number));
    this.registers?.forEach(({ box, value }, number) => {
      value.textContent = registers[number] === undefined ? '' : hex(registers[number], this.bits);
      box.classList.toggle('changed', changed.has(number));
    });
    const read = new Set((step?.reads ?? []).map(([buffer, word]) => `${buffer}.${word}`));
    const written = new Set((step?.writes ?? []).map(([buffer, word]) => `${buffer}.${word}`));
    this.cells?.forEach(({ cells }, buffer) =>
      cells.forEach((cell, word) => {
        const value = memory[buffer][word];
        cell.textContent = value === undefined ? '\u00b7'.repeat(this.bits / 4) : hex(value, this.bits);
        cell.classList.toggle('read', read.has(`${buffer}.${word}`));
        cell.classList.toggle('written', written.has(`${buffer}.${word}`));
      }),
    );
    this.done = this.place ? done : undefined;
    this.now = (step?.products ?? []).map(([i, j]) => `${i},${j}`);
    this.address = step?.address;
    at('track').value = String(this.place);
    const all = this.steps.at(-1)?.cycles ?? 0;
    at('at').textContent = `instruction ${grouped(this.place)} of ${grouped(this.steps.length)}, ${grouped(step?.cycles ?? 0)} of ${grouped(all)} cycles`;
    this.on.step(this);
  }

  #by(count) {
    this.pause();
    this.go(this.place + count);
  }

  /** Runs to the end; the whole takes about ten seconds, or less. */
  run() {
    if (this.place >= this.steps.length) this.place = 0;
    at('run').textContent = 'Pause';
    at('run').setAttribute('aria-pressed', 'true');
    const stride = Math.max(1, Math.ceil(this.steps.length / 250));
    this.timer = setInterval(() => {
      this.go(this.place + stride);
      if (this.place >= this.steps.length) this.pause();
    }, 40);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = undefined;
    at('run').textContent = 'Run';
    at('run').setAttribute('aria-pressed', 'false');
  }
}

function subscript(number) {
  return String(number).replace(/\d/g, (digit) => String.fromCharCode(0x2080 + Number(digit)));
}
