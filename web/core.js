// Requests to a worker with the core. Work that nobody waits for any more is stopped with its worker.

/** What a request failed with: one line, and a hint. */
export class Refusal extends Error {
  constructor({ fault, hint }) {
    super(fault);
    this.hint = hint;
  }
}

/** Work that was stopped. */
export class Stopped extends Error {}

let list;

/** What there is: targets, operations, methods, papers. It is the same for all modules, and there before any of them. */
export async function whatThereIs() {
  const hint = 'reload the page';
  const answer = await fetch(new URL('list.json', import.meta.url)).catch((error) => {
    throw new Refusal({ fault: `list.json: ${error.message}`, hint });
  });
  if (!answer.ok) throw new Refusal({ fault: `list.json: ${answer.status}`, hint });
  list = await answer.json();
  return list;
}

/** The module that was asked last: what any can answer need not load another. */
let usual = 'avr';

/** The module that answers a request: there is one for each processor. */
function moduleOf(request) {
  if (request.do === 'paper') {
    const tables = list.papers.find(({ name }) => name === request.paper)?.tables ?? [];
    return tables.find(({ name }) => name === request.table)?.module ?? usual;
  }
  const name = (request.target ?? request.wanted?.target)?.toLowerCase();
  if (name === undefined) return usual;
  const own = list.others.find(([other]) => other === name)?.[1] ?? name;
  const target = list.targets.find((one) => one.name === own);
  if (!target) {
    const valid = list.targets.map((one) => one.name).join(', ');
    throw new Refusal({ fault: `no target '${name}'; valid: ${valid}`, hint: 'choose a processor above' });
  }
  return target.module;
}

export class Core {
  #worker;
  #waiting = new Map();
  #last = 0;

  /** Sends a request; `told` hears how far it is. */
  async ask(request, told) {
    const module = moduleOf(request);
    usual = module;
    this.#worker ??= this.#open();
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, told });
      this.#worker.postMessage({ id, module, request });
    });
  }

  /** Whether anybody waits. */
  get busy() {
    return this.#waiting.size > 0;
  }

  /** Stops whatever is being done. */
  stop() {
    if (!this.busy) return;
    this.#worker.terminate();
    this.#worker = undefined;
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of waiting) reject(new Stopped('stopped'));
  }

  #open() {
    const worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data: { id, answer, progress } }) => {
      if (progress) {
        // one request is worked on at a time: the first that waits
        const [first] = this.#waiting.values();
        first?.told?.(progress);
        return;
      }
      const one = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (answer.error) one?.reject(new Refusal(answer.error));
      else one?.resolve(answer.ok);
    };
    worker.onerror = (event) => {
      const fault = { fault: `the core did not load: ${event.message ?? 'no worker'}`, hint: 'reload the page' };
      for (const { reject } of this.#waiting.values()) reject(new Refusal(fault));
      this.#waiting.clear();
    };
    return worker;
  }
}
