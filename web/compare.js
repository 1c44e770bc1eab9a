// Charts of cycles and the papers' tables: long work, in a worker of its own, that can be stopped.

import { Core, Stopped } from './core.js';
import { at, make } from './dom.js';

/** `wanted()` is the present request. */
export function compare(list, wanted) {
  const core = new Core();
  const say = (text) => (at('compare-status').textContent = text);

  async function show(request, draw) {
    core.stop();
    at('compare-stop').hidden = false;
    say('Measuring\u2026');
    const told = ({ phase, steps }) => say(steps ? `${phase}: ${steps[0]} of ${steps[1]}` : `${phase}\u2026`);
    const started = performance.now();
    try {
      draw(await core.ask(request, told));
      say(`in ${((performance.now() - started) / 1000).toFixed(1)} s`);
    } catch (error) {
      say(error instanceof Stopped ? 'Stopped' : `${error.message}. ${error.hint ?? ''}`);
    } finally {
      at('compare-stop').hidden = core.busy === false;
    }
  }

  function picture({ svg }) {
    const holder = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
    const drawn = document.importNode(holder, true);
    for (const element of drawn.querySelectorAll('[id]')) element.id = `chart-${element.id}`;
    drawn.setAttribute('aria-labelledby', 'chart-title chart-desc');
    drawn.removeAttribute('width');
    drawn.removeAttribute('height');
    at('chart').replaceChildren(drawn);
  }

  function tables({ title, tables: all }) {
    const parts = all.flatMap(({ title: name, about, cells }) => [
      make('h3', {}, name),
      make('p', { class: 'quiet' }, about),
      make(
        'div',
        { class: 'scroll' },
        make(
          'table',
          {},
          make('thead', {}, make('tr', {}, ...['', '', 'published', 'by formula', 'measured here', ''].map((text) => make('th', { scope: 'col' }, text)))),
          make(
            'tbody',
            {},
            ...cells.map((cell) => {
              const differs = cell.published != null && cell.measured != null && cell.published !== cell.measured;
              const numbers = [cell.published, cell.formula, cell.measured].map((value, index) => make('td', { class: index === 2 && differs ? 'number differs' : 'number' }, value ?? '\u2013'));
              return make('tr', {}, make('th', { scope: 'row' }, cell.row), make('td', {}, cell.column), ...numbers, make('td', { class: 'quiet' }, [cell.unit, cell.note].filter(Boolean).join('; ')));
            }),
          ),
        ),
      ),
    ]);
    at('chart').replaceChildren(make('div', { class: 'paper' }, make('p', {}, title), ...parts));
  }

  for (const button of document.querySelectorAll('[data-chart]')) {
    button.onclick = () => show({ do: 'chart', about: button.dataset.chart, wanted: wanted() }, picture);
  }
  at('compare-stop').onclick = () => core.stop();
  at('paper').replaceChildren(...list.papers.map(({ name }) => make('option', {}, name)));
  const choose = () => {
    const paper = list.papers.find(({ name }) => name === at('paper').value);
    at('table').replaceChildren(...(paper?.tables ?? []).map(({ name, title }) => make('option', { value: name }, `${name}: ${title}`)));
  };
  at('paper').onchange = choose;
  choose();
  at('show-table').onclick = () => show({ do: 'paper', paper: at('paper').value, table: at('table').value }, tables);
}
