// The form: operation, size, processor, method and what else can be chosen.

import { at, make } from './dom.js';

export class Chooser {
  /** `list` is what the core has; `change(values)` is called with what was chosen. */
  constructor(list, change) {
    this.list = list;
    const grouped = (entries, group, label) => {
      const groups = Map.groupBy ? Map.groupBy(entries, group) : byGroup(entries, group);
      return [...groups].map(([name, own]) => make('optgroup', { label: name }, ...own.map((one) => make('option', { value: one.name }, label(one)))));
    };
    const kinds = { bits: 'Whole numbers', modulus: 'Modulo a number', polynomial: 'Over GF(2)', none: 'Programs', curve: 'Programs' };
    const kind = (one) => (one.name.startsWith('gf2') ? 'Over GF(2)' : kinds[one.family]);
    at('op').replaceChildren(...grouped(list.operations, kind, (one) => `${one.name}: ${one.summary.split(': ')[0].replace(/--\w+ /g, '')}`));
    at('target').replaceChildren(...grouped(list.targets, (one) => one.processor, (one) => one.name));
    at('moduli').replaceChildren(...list.moduli.map(([value, text]) => make('option', { value }, text)));
    at('polynomials').replaceChildren(...list.polynomials.map(([value, text]) => make('option', { value }, text)));
    at('curves').replaceChildren(...list.curves.map((value) => make('option', { value })));
    at('form').onsubmit = (event) => event.preventDefault();
    // another operation or processor has other methods and parameters
    at('op').onchange = () => change({ op: at('op').value, method: '', parameters: {}, form: '', ...this.#size() });
    at('target').onchange = () => change({ target: at('target').value, method: '', parameters: {}, convention: '', syntax: '', form: '' });
    at('bits').onchange = () => change({ bits: Number(at('bits').value) || 0, parameters: {} });
    at('modulus').onchange = () => change({ modulus: at('modulus').value.trim() });
    at('polynomial').onchange = () => change({ polynomial: at('polynomial').value.trim() });
    at('curve').onchange = () => change({ curve: at('curve').value.trim() });
    at('method').onchange = () => change({ method: at('method').value, parameters: {} });
    at('formed').onchange = () => change({ form: at('formed').value });
    at('convention').onchange = () => change({ convention: at('convention').value, syntax: '' });
    at('syntax').onchange = () => change({ syntax: at('syntax').value });
    at('parameters').addEventListener('change', () => {
      const parameters = {};
      for (const input of at('parameters').querySelectorAll('input')) if (input.value !== '') parameters[input.name] = Number(input.value);
      change({ parameters });
    });
  }

  #size() {
    const family = this.list.operations.find((one) => one.name === at('op').value)?.family;
    return family === 'bits' ? { bits: Number(at('bits').value) || 160 } : {};
  }

  /** What gives the size of the operation: bits, a modulus, a polynomial, a curve, or nothing. */
  family() {
    return this.list.operations.find((one) => one.name === this.state.op)?.family ?? 'bits';
  }

  /** Shows a state. */
  show(state) {
    this.state = state;
    const family = this.family();
    at('op').value = state.op;
    at('target').value = state.target;
    at('bits').value = state.bits || '';
    at('modulus').value = state.modulus ?? 'p256';
    at('polynomial').value = state.polynomial ?? 'b233';
    at('curve').value = state.curve ?? 'p256';
    for (const name of ['bits', 'modulus', 'polynomial', 'curve']) at(`${name}-label`).hidden = name !== family;
    const methods = this.list.methods.filter((one) => one.operation === state.op);
    at('method').replaceChildren(
      make('option', { value: '' }, 'the best'),
      ...(methods.length && state.op === 'mul' ? [make('option', { value: 'best-walk' }, 'the best without splits')] : []),
      ...methods.map((one) => make('option', {}, one.name)),
    );
    at('method').value = state.method;
    at('method').disabled = methods.length === 0;
    const method = methods.find((one) => one.name === state.method);
    at('about-method').textContent = method ? `${method.summary} (${method.source})` : '';
    at('parameters').replaceChildren(
      ...(method?.parameters ?? []).map((name) => make('label', {}, name, make('input', { type: 'number', min: '0', name, placeholder: 'best', value: state.parameters[name] ?? '' }))),
    );
    const target = this.list.targets.find((one) => one.name === state.target);
    const named = (all, what) => [make('option', { value: '' }, `usual ${what}`), ...(all ?? []).map(([name]) => make('option', {}, name))];
    at('convention').replaceChildren(...named(target?.conventions, 'one'));
    at('syntax').replaceChildren(...named(target?.syntaxes, 'one'));
    at('convention').value = state.convention ?? '';
    at('syntax').value = state.syntax ?? '';
    at('formed').value = state.form ?? '';
    if (Object.keys(state.parameters).length || state.form || state.convention || state.syntax) at('more').open = true;
  }
}

function byGroup(entries, group) {
  const groups = new Map();
  for (const one of entries) groups.set(group(one), [...(groups.get(group(one)) ?? []), one]);
  return groups;
}
