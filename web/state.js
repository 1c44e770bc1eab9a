// The state of the page, which is in the fragment of its address: a link shows another reader the same.

const DEFAULTS = { op: 'mul', bits: 160, target: 'atmega128', method: '' };
const TEXTS = ['op', 'target', 'method', 'modulus', 'polynomial', 'curve', 'form', 'convention', 'syntax'];

/** The state that an address holds. */
export function read(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  const state = { ...DEFAULTS, parameters: {}, edits: new Map(), step: 0 };
  for (const key of TEXTS) if (given.has(key)) state[key] = given.get(key);
  if (given.has('bits')) state.bits = Number(given.get('bits')) || 0;
  for (const [key, value] of given) {
    if (key.startsWith('p.') && Number.isInteger(Number(value))) state.parameters[key.slice(2)] = Number(value);
    const line = /^e(\d+)$/.exec(key);
    if (line) state.edits.set(Number(line[1]), value === '' ? null : value);
  }
  state.step = Math.max(0, Number(given.get('step')) || 0);
  return state;
}

/** The fragment of a state, without its sign. */
export function write(state) {
  const all = new URLSearchParams();
  all.set('op', state.op);
  if (state.bits) all.set('bits', String(state.bits));
  all.set('target', state.target);
  for (const key of TEXTS) if (state[key] && !all.has(key)) all.set(key, state[key]);
  for (const [name, value] of Object.entries(state.parameters)) all.set(`p.${name}`, String(value));
  for (const [line, text] of [...state.edits].sort(([a], [b]) => a - b)) all.set(`e${line}`, text ?? '');
  if (state.step) all.set('step', String(state.step));
  return all.toString();
}

/** The state as a request to the core; `family` says what gives the size. */
export function wanted(state, family) {
  const optional = (key) => (state[key] ? { [key]: state[key] } : {});
  return {
    operation: state.op,
    target: state.target,
    bits: family === 'bits' ? state.bits : 0,
    ...(family === 'modulus' ? { modulus: state.modulus || 'p256' } : {}),
    ...(family === 'polynomial' ? { polynomial: state.polynomial || 'b233' } : {}),
    ...(family === 'curve' ? { curve: state.curve || 'p256' } : {}),
    ...optional('method'),
    ...optional('form'),
    ...optional('convention'),
    ...optional('syntax'),
    parameters: state.parameters,
  };
}
