// The page: its state is in the address, the core answers, and these lines bring both together.

import { Chooser } from './chooser.js';
import { compare } from './compare.js';
import { Core, Stopped, whatThereIs } from './core.js';
import { at, copy, make } from './dom.js';
import { Listing } from './listing.js';
import { own } from './own.js';
import { Picture } from './picture.js';
import { Player } from './player.js';
import { routine, show as showResult } from './result.js';
import * as state from './state.js';
import { verdict } from './verdict.js';

const core = new Core();
let now = state.read(location.hash);
let made;
let turn = 0;
// whether the listing stays where it is while another call is played
let quiet = false;

const listing = new Listing(at('listing'), {
  edit: () => edited(),
  select: (line) => {
    for (const id of ['edit', 'delete']) at(id).disabled = !listing.instructions.has(line);
  },
  hover: (address) => {
    const fact = address === undefined ? undefined : player.facts?.get(address);
    picture.mark(fact ? fact.made : []);
  },
});
const picture = new Picture(at('picture'), {
  hover: (product) => listing.mark(product ? (player.addressesOf?.get(product) ?? []) : []),
  pick: (product) => listing.mark(player.addressesOf?.get(product) ?? [], true),
});
const player = new Player({
  step: ({ done, now: products, address, place, timer }) => {
    picture.play(done, products);
    listing.now(address, place > 0 && !quiet);
    now.step = place;
    if (!timer) remember();
  },
});

at('edit').onclick = () => listing.edit();
at('delete').onclick = () => listing.remove();
at('undo').onclick = () => listing.undo();
at('restore').onclick = () => listing.restore();

/** Writes the state into the address, without a step in the browser's history. */
function remember() {
  const hash = `#${state.write(now)}`;
  if (location.hash !== hash) history.replaceState(null, '', hash);
}

function status(...parts) {
  at('status').replaceChildren(...parts);
}

function refused(error) {
  if (error instanceof Stopped) return;
  for (const id of ['figures', 'others', 'take', 'workbench']) at(id).hidden = true;
  status(make('p', { class: 'fault' }, error.message), make('p', { class: 'hint' }, error.hint ?? ''));
}

function told({ phase, steps, best }) {
  const much = steps ? `: ${steps[0]} of ${steps[1]}` : '';
  const least = best ? `, best so far ${best} cycles` : '';
  status(make('p', { class: 'busy' }, `${phase}${much}${least}\u2026 `, make('button', { type: 'button', onclick: stop }, 'Stop')));
}

function stop() {
  core.stop();
  status(make('p', {}, 'Stopped. Choose something else, or the same again.'));
}

/** Makes the routine that is asked for, shows it, and then proves it. */
async function generate() {
  const mine = ++turn;
  core.stop();
  player.pause();
  told({ phase: 'making the routine' });
  remember();
  const started = performance.now();
  const request = state.wanted(now, chooser.family());
  try {
    // what needs no proof is shown at once
    made = await core.ask({ do: 'generate', ...request, no_proof: true }, told);
    if (mine !== turn) return;
    status();
    showResult(made, { proving: true });
    at('workbench').hidden = false;
    const { text, places } = routine(made);
    listing.show(text, places, now.edits);
    document.documentElement.dataset.first = String(Math.round(performance.now() - started));
    await Promise.all([see(request, mine), play(mine), edited(true)]);
    const proved = await core.ask({ do: 'generate', ...request }, ({ phase }) => mine === turn && showResult(made, { proving: true, phase }));
    if (mine !== turn) return;
    made = proved;
    showResult(made, { proving: false, seconds: (performance.now() - started) / 1000 });
  } catch (error) {
    if (mine === turn) refused(error);
  }
}

/** Shows the picture: the library's, or the products of the played call. */
async function see(request, mine) {
  // without a method that of the best walk is drawn, which may be another
  const method = made.report.method;
  try {
    const { svg } = await core.ask({ do: 'picture', ...request, ...(method ? { method } : {}), no_proof: true });
    if (mine === turn) picture.show(svg);
    picture.drawn = false;
  } catch (error) {
    if (error instanceof Stopped || mine !== turn) return;
    picture.none('');
    picture.drawn = true;
  }
}

/** The request about the listing as it is now. */
function about() {
  const { report, contract } = made;
  return { text: listing.text, target: report.target, syntax: report.syntax, convention: report.convention, contract };
}

/** Plays one call of the listing as it is now. */
async function play(mine) {
  at('player').hidden = at('state').hidden = !made.contract;
  if (!made.contract) return;
  try {
    const found = await core.ask({ do: 'play', ...about() });
    if (mine !== turn) return;
    listing.place(found.places);
    const step = now.step;
    quiet = true;
    player.show(found);
    listing.annotate(player.facts);
    if (picture.drawn) {
      if (player.order.length) picture.draw(player.order, `${made.name}: the products of words of the operands`);
      else picture.none('This routine makes no product of two words of its operands: nothing to draw.');
      at('see-about').textContent = 'The products of two words of the operands, in the order of the machine code; products of sums and differences are not among them.';
    } else at('see-about').textContent = 'Point at a product to see its instructions. Columns stand one above the other; the line is the order of computation.';
    picture.missing(now.edits.size ? new Set(player.addressesOf.keys()) : undefined);
    player.go(step);
    quiet = false;
    if (found.played.stopped) at('at').textContent = `stopped: ${found.played.stopped}`;
  } catch (error) {
    quiet = false;
    if (error instanceof Stopped || mine !== turn) return;
    player.pause();
  }
}

/** Tells what the changed listing is worth. */
async function edited(first) {
  const mine = turn;
  const changes = now.edits.size;
  at('undo').disabled = at('restore').disabled = changes === 0;
  remember();
  listing.blame(undefined);
  if (changes === 0) {
    at('edited').replaceChildren();
    at('edited').className = '';
    if (!first && made) await play(mine);
    return;
  }
  if (!made.contract) {
    at('edited').replaceChildren(make('p', {}, 'Changes of whole programs are not verified in the page: the command line does.'));
    return;
  }
  const started = performance.now();
  at('edited').replaceChildren(make('p', { class: 'busy' }, 'Asking whether it is still right\u2026'));
  try {
    const found = await core.ask({ do: 'verify', ...about() });
    if (mine !== turn) return;
    listing.place(found.places);
    const { proof, counterexample, reasons } = found.verification;
    const seconds = (performance.now() - started) / 1000;
    at('edited').className = `verdict ${proof}`;
    at('edited').replaceChildren(...verdict(found, (address) => listing.go(address)), make('p', { class: 'quiet' }, `${changes} line${changes === 1 ? '' : 's'} changed; answered in ${seconds.toFixed(2)} s`));
    listing.blame(counterexample?.place?.address ?? reasons[0]?.addresses[0]);
    if (!first) await play(mine);
  } catch (error) {
    if (error instanceof Stopped || mine !== turn) return;
    at('edited').className = 'verdict unknown';
    at('edited').replaceChildren(make('p', { class: 'fault' }, error.message), make('p', { class: 'hint' }, error.hint ?? ''));
  }
}

const list = await whatThereIs().catch((error) => {
  refused(error);
  throw error;
});
const chooser = new Chooser(list, (change) => {
  now = { ...now, ...change, edits: new Map(), step: 0 };
  chooser.show(now);
  generate();
});
at('version').textContent = list.version;
chooser.show(now);
own(list);
compare(list, () => state.wanted(now, chooser.family()));
generate();

addEventListener('hashchange', () => {
  if (location.hash === `#${state.write(now)}`) return;
  now = state.read(location.hash);
  chooser.show(now);
  generate();
});
at('share').onclick = () => copy(at('share'), location.href);
for (const link of document.querySelectorAll('[data-to]')) {
  link.addEventListener('click', (event) => {
    event.preventDefault();
    at(link.dataset.to).scrollIntoView({ behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth' });
    at(link.dataset.to).focus({ preventScroll: true });
  });
}
at('home').onclick = (event) => {
  event.preventDefault();
  scrollTo({ top: 0 });
};
const dark = matchMedia('(prefers-color-scheme: dark)');
const theme = (name) => (document.documentElement.dataset.theme = name);
theme(localStorage.getItem('rhomb-theme') ?? (dark.matches ? 'dark' : 'light'));
at('theme').onclick = () => {
  theme(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark');
  localStorage.setItem('rhomb-theme', document.documentElement.dataset.theme);
};
if ('serviceWorker' in navigator) {
  navigator.serviceWorker.register('sw.js').then(() => navigator.serviceWorker.ready).then(
    () => (at('offline').textContent = 'This page is kept here and works without a network.'),
    () => {},
  );
}
