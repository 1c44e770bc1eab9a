// What was made: figures, verdicts, others' figures, and the files to take.

import { at, copy, grouped, make, save } from './dom.js';
import { badge, time } from './verdict.js';

/** Shows a routine; `proving` says that its proof is still being looked for. */
export function show(made, { proving, phase, seconds }) {
  const { report, name, calls } = made;
  const { cycles } = report;
  const range = (least, most) => (least === most ? grouped(most) : `${grouped(least)}\u2013${grouped(most)}`);
  const parameters = Object.entries(report.parameters).map(([key, value]) => `${key.replaceAll('_', '-')} ${value}`);
  at('result-title').textContent = name;
  const figure = (label, value, more) => make('div', { class: 'figure' }, make('span', { class: 'label' }, label), make('span', { class: 'value' }, value), more ? make('span', { class: 'quiet' }, more) : null);
  const proof = proving
    ? make('div', { class: 'figure proof' }, make('span', { class: 'label' }, 'Proof'), make('strong', { class: 'badge busy' }, 'Proving\u2026'), make('span', { class: 'quiet' }, phase ?? `${calls} calls simulated`))
    : make('div', { class: 'figure proof' }, make('span', { class: 'label' }, 'Proof'), badge(report.proof), make('span', { class: 'quiet' }, report.proof === 'proved' ? `for every input, from the machine code, in ${seconds.toFixed(1)} s` : `${calls} calls simulated`));
  at('figures').replaceChildren(
    proof,
    figure('Function, cycles', range(cycles.function_min, cycles.function_max), cycles.about ? `about: ${cycles.about}` : 'from the first instruction to the return'),
    figure('Body, cycles', range(cycles.body_min, cycles.body), 'without saves and restores'),
    figure('Code', `${grouped(report.code_bytes)} bytes`, `${grouped(Object.values(report.instructions).reduce((sum, count) => sum + count, 0))} instructions in the body`),
    figure('Stack', `${grouped(report.stack_bytes)} bytes`, `saves ${made.saved || 'nothing'}`),
    figure('Time', report.constant_time.replaceAll('-', ' '), time(report.constant_time).split(': ')[1] ?? ''),
    figure('Method', report.method ?? '\u2013', [...parameters, report.accumulation, report.form].filter(Boolean).join(', ')),
  );
  at('figures').hidden = false;
  compared(made.compared);
  at('take').hidden = false;
  at('take-s').textContent = `${name}.${made.extension}`;
  at('take-s').onclick = () => save(`${name}.${made.extension}`, made.assembly);
  at('take-h').textContent = `${name}.h`;
  at('take-h').onclick = () => save(`${name}.h`, made.header);
  at('take-c').disabled = !made.certificate;
  at('take-c').textContent = made.certificate || proving ? 'Certificate' : 'No certificate';
  at('take-c').title = made.certificate ? `SHA-256 ${made.certificate.sha256}` : '';
  at('take-c').onclick = () => save(`${name}.certificate.json`, made.certificate.text, 'application/json');
  at('heading').textContent = routine(made).heading;
  at('command').textContent = made.command;
  at('copy-command').onclick = () => copy(at('copy-command'), made.command);
}

/** The routine without the heading of its file, which has the verdict, and where its instructions stand. */
export function routine({ assembly, places }) {
  const lines = assembly.split('\n');
  const before = lines.lastIndexOf('', places[0][0] - 1) + 1;
  return {
    heading: lines.slice(0, before).join('\n').trimEnd(),
    text: lines.slice(before).join('\n'),
    places: places.map(([line, address]) => [line - before, address]),
  };
}

const OF = { 'same method': 'same method', 'any method': 'best of any method', wrong: 'wrong code' };

function compared(all) {
  at('others').hidden = all.length === 0;
  const row = ({ scope, ours, cycles, of, origin, note }) => {
    const difference = ours - cycles;
    const sign = difference > 0 ? '+' : '\u2212';
    return make(
      'tr',
      { class: of === 'wrong' ? 'wrong' : '' },
      make('th', { scope: 'row' }, scope),
      make('td', { class: 'number' }, grouped(ours)),
      make('td', { class: 'number' }, grouped(cycles)),
      make('td', { class: `number ${of === 'wrong' ? '' : difference <= 0 ? 'better' : 'worse'}` }, difference === 0 ? '0' : `${sign}${grouped(Math.abs(difference))}`),
      make('td', {}, make('b', {}, OF[of]), ` ${origin}`, note ? make('span', { class: 'quiet' }, `; ${note}`) : null),
    );
  };
  at('compared').replaceChildren(
    make('thead', {}, make('tr', {}, ...['', 'here', 'theirs', 'difference', 'of'].map((text) => make('th', { scope: 'col' }, text)))),
    make('tbody', {}, ...all.map(row)),
  );
}
