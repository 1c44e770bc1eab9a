// A verdict of the core as something to read.

import { make } from './dom.js';

const WORDS = {
  proved: ['Proved', 'right for every input: result, memory, registers, stack'],
  refuted: ['Refuted', 'a call shows that it is wrong'],
  unknown: ['Unknown', 'neither proved nor refuted'],
  'not-run': ['Not proved', 'nobody asked for a proof'],
};

const TIMES = {
  constant: 'constant: no branch and no address depends on the operands',
  balanced: 'balanced: branches depend on the operands, but all take equally long',
  'depends-on-addresses': 'depends on where the arrays lie, not on the operands',
  leaks: 'leaks: it depends on the operands',
  unknown: 'unknown',
  unchecked: 'unchecked: the code could not be followed',
};

/** What a verdict on time means. */
export const time = (name) => TIMES[name] ?? name;

/** A badge with the verdict of a proof. */
export function badge(proof) {
  return make('strong', { class: `badge ${proof}` }, WORDS[proof]?.[0] ?? proof);
}

/** All that was found about a function; `go` shows an instruction. */
export function verdict({ verification, names, calls }, go) {
  const { proof, counterexample, reasons } = verification;
  const parts = [make('p', { class: 'said' }, badge(proof), ' ', WORDS[proof]?.[1] ?? '')];
  if (counterexample) parts.push(...example(counterexample, names, go));
  if (reasons.length) {
    const list = reasons.slice(0, 6).map((why) => make('li', {}, ...sites(why.addresses.map((address, index) => ({ address, instruction: why.instructions[index] })), go), why.weight ? `weight ${why.weight}: ` : '', why.text));
    if (reasons.length > 6) list.push(make('li', {}, `and ${reasons.length - 6} more`));
    parts.push(make('ul', { class: 'reasons' }, ...list));
  }
  const facts = [
    ['time', time(verification.constant_time)],
    ['cycles', verification.cycles && String(verification.cycles.function)],
    ['code', `${verification.code_bytes} bytes`],
    ['stack', verification.stack_bytes != null && `${verification.stack_bytes} bytes`],
    ['simulated', `${calls} call${calls === 1 ? '' : 's'}`],
  ];
  const rows = facts.filter(([, value]) => value).flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]);
  parts.push(make('dl', { class: 'facts' }, ...rows));
  return parts;
}

function example(counter, names, go) {
  const { operands, word, weight, expected, got, place, text, hint } = counter;
  const rows = operands.map((value, index) => [make('dt', {}, names[index] ?? 'ab'[index]), make('dd', {}, make('code', {}, value))]).flat();
  if (expected != null) {
    rows.push(make('dt', {}, `word ${word}`), make('dd', {}, 'is ', make('code', { class: 'wrong' }, got), ', not ', make('code', {}, expected), `; its weight is ${weight}`));
  } else rows.push(make('dt', {}, 'fault'), make('dd', {}, text));
  if (place) rows.push(make('dt', {}, 'last written by'), make('dd', {}, ...sites([place], go)));
  return [make('dl', { class: 'example' }, ...rows), hint ? make('p', { class: 'hint' }, hint) : null].filter(Boolean);
}

function sites(places, go) {
  return places.flatMap(({ address, instruction }) => {
    const text = `0x${address.toString(16).padStart(4, '0')} ${instruction ?? ''}`;
    return [go ? make('button', { class: 'site', type: 'button', onclick: () => go(address) }, text) : make('code', {}, text), ' '];
  });
}
