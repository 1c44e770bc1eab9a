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

export class Core {
  #worker;
  #waiting = new Map();
  #last = 0;

  /** Sends a request; `told` hears how far it is. */
  ask(request, told) {
    this.#worker ??= this.#open();
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, told });
      this.#worker.postMessage({ id, request });
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
