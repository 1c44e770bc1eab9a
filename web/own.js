// A function of the reader's own object file: verified in the page.

import { Core, Stopped } from './core.js';
import { at, make } from './dom.js';
import { verdict } from './verdict.js';

/** Which processors an object file may be for, by what its header says. */
const MACHINES = { AVR: /avr/i, ARM: /arm/i, MIPS32: /mips/i, 'RISC-V': /risc/i };

export function own(list) {
  const core = new Core();
  let file;
  const say = (...parts) => at('own-verdict').replaceChildren(...parts);
  const refuse = (error) => {
    if (!(error instanceof Stopped)) say(make('p', { class: 'fault' }, error.message), make('p', { class: 'hint' }, error.hint ?? ''));
  };

  async function take(name, buffer) {
    file = [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    at('file-name').textContent = name;
    say();
    at('own-form').hidden = true;
    try {
      const { machine, functions } = await core.ask({ do: 'functions', file });
      const processor = Object.keys(MACHINES).find((key) => MACHINES[key].test(machine));
      const targets = list.targets.filter((target) => target.processor === processor);
      if (functions.length === 0) throw Object.assign(new Error('the file has no function'), { hint: 'compile or assemble one' });
      at('own-symbol').replaceChildren(...functions.map((one) => make('option', {}, one)));
      at('own-target').replaceChildren(...(targets.length ? targets : list.targets).map((target) => make('option', {}, target.name)));
      at('own-form').hidden = false;
      return true;
    } catch (error) {
      refuse(error);
      return false;
    }
  }

  async function verify() {
    const started = performance.now();
    at('own-stop').hidden = false;
    say(make('p', { class: 'busy' }, 'Proving\u2026'));
    try {
      const found = await core.ask({
        do: 'verify-file',
        file,
        symbol: at('own-symbol').value,
        target: at('own-target').value,
        contract: at('own-contract').value,
        undisturbed: at('own-off').checked,
      });
      say(...verdict(found), make('p', { class: 'quiet' }, `answered in ${((performance.now() - started) / 1000).toFixed(2)} s`));
    } catch (error) {
      if (error instanceof Stopped) say(make('p', {}, 'Stopped'));
      refuse(error);
    } finally {
      at('own-stop').hidden = true;
    }
  }

  at('file').onchange = async () => {
    const [one] = at('file').files;
    if (one) await take(one.name, await one.arrayBuffer());
  };
  at('sample').onclick = async () => {
    const answer = await fetch('museum.o');
    if (await take('museum.o', await answer.arrayBuffer())) {
      at('own-symbol').value = 'lost_carry';
      at('own-target').value = 'atmega128';
      at('own-contract').value = 'mul 16';
      verify();
    }
  };
  at('own-form').onsubmit = (event) => {
    event.preventDefault();
    verify();
  };
  at('own-stop').onclick = () => core.stop();
  const drop = at('drop');
  for (const kind of ['dragover', 'dragenter']) {
    drop.addEventListener(kind, (event) => {
      event.preventDefault();
      drop.classList.add('over');
    });
  }
  drop.addEventListener('dragleave', () => drop.classList.remove('over'));
  drop.addEventListener('drop', async (event) => {
    event.preventDefault();
    drop.classList.remove('over');
    const [one] = event.dataTransfer.files;
    if (one) await take(one.name, await one.arrayBuffer());
  });
}
