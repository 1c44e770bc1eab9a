// Keeps the page's files, so that it needs no network after it was loaded once. The version is filled in by ./page.
const VERSION = 'rhomb-development';
const PROCESSORS = ['avr', 'arm', 'mips', 'riscv', 'c55x'];
const FILES = ['./', 'index.html', 'style.css', 'main.js', 'core.js', 'worker.js', 'state.js', 'dom.js', 'listing.js', 'picture.js', 'player.js', 'verdict.js', 'own.js', 'compare.js', 'chooser.js', 'result.js', 'icon.svg', 'museum.o', 'list.json', ...PROCESSORS.map((name) => `core-${name}.wasm`)];

addEventListener('install', (event) => {
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll(FILES)).then(() => skipWaiting()));
});

addEventListener('activate', (event) => {
  const old = (names) => names.filter((name) => name.startsWith('rhomb-') && name !== VERSION).map((name) => caches.delete(name));
  event.waitUntil(caches.keys().then((names) => Promise.all(old(names))).then(() => clients.claim()));
});

addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET' || new URL(event.request.url).origin !== location.origin) return;
  event.respondWith(caches.open(VERSION).then((cache) => cache.match(event.request, { ignoreSearch: true })).then((found) => found ?? fetch(event.request)));
});
