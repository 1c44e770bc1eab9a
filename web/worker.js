// The core, in a thread of its own: one request at a time, by three functions of a module: there is one for each processor.
const text = new TextDecoder();
const bytes = new TextEncoder();
const compiled = new Map();
const cores = new Map();

async function start(module) {
  if (!compiled.has(module)) compiled.set(module, await compile(`core-${module}.wasm`));
  const progress = (place, length) =>
    postMessage({ progress: JSON.parse(text.decode(new Uint8Array(core.memory.buffer, place, length))) });
  const core = (await WebAssembly.instantiate(compiled.get(module), { rhomb: { progress } })).exports;
  cores.set(module, core);
}

async function compile(file) {
  const answer = await fetch(new URL(file, import.meta.url));
  if (!answer.ok) throw new Error(`${file}: ${answer.status}`);
  // a host that does not know the type of .wasm files is no obstacle
  return WebAssembly.compile(await answer.arrayBuffer());
}

function call(core, request) {
  const given = bytes.encode(JSON.stringify(request));
  const place = core.rhomb_allocate(given.length);
  new Uint8Array(core.memory.buffer, place, given.length).set(given);
  const reply = core.rhomb_call(place, given.length);
  core.rhomb_free(place, given.length);
  const length = new DataView(core.memory.buffer).getUint32(reply, true);
  const answer = text.decode(new Uint8Array(core.memory.buffer, reply + 4, length));
  core.rhomb_free(reply, length + 4);
  return JSON.parse(answer);
}

// one after the other, also while a module is loaded
let last = Promise.resolve();
onmessage = ({ data }) => {
  last = last.then(() => answered(data));
};

async function answered({ id, module, request }) {
  let answer;
  try {
    if (!cores.has(module)) await start(module);
    answer = call(cores.get(module), request);
  } catch (error) {
    // after a trap the memory is worth nothing
    cores.delete(module);
    const memory = error instanceof RangeError || error instanceof WebAssembly.RuntimeError;
    answer = {
      error: {
        fault: memory ? 'the core stopped: too much for a page, or a fault of Rhomb' : `the core did not load: ${error.message}`,
        hint: memory ? 'the command line has more memory and time' : 'reload the page',
      },
    };
  }
  postMessage({ id, answer });
}
