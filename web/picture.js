// The rhombus: the library's picture, or where a method has none the products of the played call.

import { make } from './dom.js';

const SVG = 'http://www.w3.org/2000/svg';
const key = (i, j) => `${i},${j}`;

export class Picture {
  /** `on.hover(i, j)` is called with the product under the pointer, or without. */
  constructor(root, on) {
    this.root = root;
    this.products = new Map();
    root.addEventListener('pointerover', (event) => {
      const product = event.target.closest?.('[data-product]')?.dataset.product;
      on.hover(product);
    });
    root.addEventListener('pointerleave', () => on.hover(undefined));
    root.addEventListener('click', (event) => {
      const product = event.target.closest?.('[data-product]')?.dataset.product;
      if (product) on.pick(product);
    });
  }

  /** Shows the library's picture. */
  show(svg) {
    const holder = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
    const picture = document.importNode(holder, true);
    // other pictures of the page have the same names
    for (const element of picture.querySelectorAll('[id]')) element.id = `rhombus-${element.id}`;
    picture.setAttribute('aria-labelledby', 'rhombus-title rhombus-desc');
    picture.removeAttribute('width');
    picture.removeAttribute('height');
    this.#take(picture);
  }

  /** Draws the products that a call made, in their order. */
  draw(order, title) {
    const most = Math.max(...order.flatMap(([i, j]) => [i, j]), 0) + 1;
    const [step, rise, edge] = [26, 15, 22];
    const width = step * (2 * most - 1) + 2 * edge;
    // what is drawn lies around the middle; a square or a split does not fill the rhombus
    const high = rise * Math.max(...order.map(([i, j]) => Math.abs(i - j)), 0) + edge;
    const svg = document.createElementNS(SVG, 'svg');
    svg.setAttribute('viewBox', `0 ${-high} ${width} ${2 * high}`);
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', title);
    order.forEach(([i, j], number) => {
      const disc = document.createElementNS(SVG, 'circle');
      disc.setAttribute('cx', String(width - edge - step * (i + j)));
      disc.setAttribute('cy', String(rise * (j - i)));
      disc.setAttribute('r', '8');
      disc.setAttribute('fill', `hsl(${210 + (130 * number) / order.length} 60% 45%)`);
      const label = document.createElementNS(SVG, 'title');
      label.textContent = `${number + 1}: A[${i}]\u00b7B[${j}], C[${i + j}]`;
      disc.append(label);
      svg.append(disc);
    });
    this.#take(svg);
  }

  /** Says that there is none. */
  none(why) {
    this.products.clear();
    this.root.replaceChildren(make('p', { class: 'empty' }, why));
  }

  #take(svg) {
    this.products.clear();
    for (const title of svg.querySelectorAll('circle > title, path > title')) {
      const found = /A\[(\d+)\]\u00b7([AB])\[(\d+)\]/.exec(title.textContent);
      if (!found) continue;
      const disc = title.parentNode;
      const [i, j] = [Number(found[1]), Number(found[3])];
      // a call names the lower word of a square first
      disc.dataset.product = found[2] === 'A' && i > j ? key(j, i) : key(i, j);
      this.products.set(disc.dataset.product, disc);
    }
    this.root.replaceChildren(svg);
  }

  /** Shows which products are made up to a step, and which one now. */
  play(done, now) {
    this.root.classList.toggle('playing', done !== undefined);
    for (const [product, disc] of this.products) {
      disc.classList.toggle('done', Boolean(done?.has(product)));
      disc.classList.toggle('now', Boolean(now?.includes(product)));
    }
  }

  /** Shows products that code leaves out. */
  missing(made) {
    for (const [product, disc] of this.products) disc.classList.toggle('missing', Boolean(made && !made.has(product)));
  }

  /** Marks products for a moment. */
  mark(products) {
    for (const disc of this.root.querySelectorAll('.marked')) disc.classList.remove('marked');
    for (const product of products) this.products.get(product)?.classList.add('marked');
  }
}
