// The core, in a thread of its own: one request at a time, by three functions of core.wasm.
const text = new TextDecoder();
const bytes = new TextEncoder();
let compiled;
let core;

async function start() {
  compiled ??= await compile();
  const progress = (place, length) =>
    postMessage({ progress: JSON.parse(text.decode(new Uint8Array(core.memory.buffer, place, length))) });
  core = (await WebAssembly.instantiate(compiled, { rhomb: { progress } })).exports;
}

async function compile() {
  const answer = await fetch(new URL('core.wasm', import.meta.url));
  if (!answer.ok) throw new Error(`core.wasm: ${answer.status}`);
  // a host that does not know the type of .wasm files is no obstacle
  return WebAssembly.compile(await answer.arrayBuffer());
}

function call(request) {
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

onmessage = async ({ data: { id, request } }) => {
  let answer;
  try {
    if (!core) await start();
    answer = call(request);
  } catch (error) {
    // after a trap the memory is worth nothing
    core = undefined;
    const memory = error instanceof RangeError || error instanceof WebAssembly.RuntimeError;
    answer = {
      error: {
        fault: memory ? 'the core stopped: too much for a page, or a fault of Rhomb' : `the core did not load: ${error.message}`,
        hint: memory ? 'the command line has more memory and time' : 'reload the page',
      },
    };
  }
  postMessage({ id, answer });
};
