// The page in headless Chromium: every step of a visitor, by mouse and by keyboard, with and without a network.
//
//     node page.mjs PACKAGE ADDRESS OBJECT PROCESSORS [PICTURES]
//
// PACKAGE is the folder of playwright-core, ADDRESS where the page is served, OBJECT an object file with the function
// lost_carry, PROCESSORS those that the page has, with commas between them. Prints one JSON object of figures, in
// milliseconds; the first check that fails ends it. With a folder for PICTURES the page is photographed, wide and narrow,
// light and dark.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';

const [folder, address, object, processors, pictures] = process.argv.slice(2);
const has = (processor) => processors.split(',').includes(processor);
const { chromium } = createRequire(import.meta.url)(folder);
const WAIT = { timeout: 60_000 };
const figures = {};
const complaints = [];

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-dev-shm-usage'] });
const context = await browser.newContext({ viewport: { width: 1360, height: 900 }, permissions: ['clipboard-read', 'clipboard-write'] });

async function open(hash = '', from = context) {
  const page = await from.newPage();
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(address + hash);
  return page;
}

const proved = (page) => page.waitForSelector('#figures .badge.proved', WAIT);
const text = (page, selector) => page.locator(selector).innerText();
const count = (page, selector) => page.locator(selector).count();
const rows = (page, mnemonic) => page.locator('#listing [role=option]:not(.around)').filter({ hasText: new RegExp(`(^|\\s)${mnemonic}\\s`) });

// chooses: what nobody asked for is there at once, then its proof
let started = performance.now();
const page = await open();
await page.waitForSelector('#figures .value', WAIT);
figures.opened = Math.round(performance.now() - started);
figures.first = Number(await page.evaluate(() => document.documentElement.dataset.first));
await proved(page);
figures.proved = Math.round(performance.now() - started);
assert.match(await text(page, '#result-title'), /mul160/);
assert.match(await text(page, '#compared'), /micro-ecc/);
assert.match(await text(page, '#command'), /^rhomb generate mul --bits 160/);
for (const landmark of ['header', 'nav', 'main', 'footer']) assert.equal(await count(page, landmark), 1, landmark);
const download = page.waitForEvent('download');
await page.click('#take-s');
assert.equal((await download).suggestedFilename(), 'mul160.S');

// another method, which has a picture
await page.selectOption('#method', 'operand-caching');
await page.waitForFunction(() => document.querySelectorAll('#picture circle[data-product]').length === 400, null, WAIT);
await proved(page);
assert.match(await text(page, '#figures'), /operand-caching/);

// sees: a product marks its instructions, an instruction its product
await page.hover('#picture circle[data-product="3,4"]');
assert.equal(await count(page, '#listing .marked'), 1);
await rows(page, 'mul').first().hover();
assert.equal(await count(page, '#picture .marked'), 1);

// plays
await page.click('#step');
assert.match(await text(page, '#at'), /^instruction 1 of /);
await page.click('#run');
await page.waitForFunction(() => Number(document.getElementById('track').value) > 20, null, WAIT);
await page.click('#run');
assert.ok((await count(page, '#picture .done')) > 0);
await page.click('#last');
assert.match(await text(page, '#at'), /^instruction (.+) of \1, (.+) of \2 cycles$/);
assert.equal(await count(page, '#picture .done'), 400);
await page.click('#first');
assert.equal(await count(page, '#picture .done'), 0);

// breaks it by keyboard: without a carry it is refuted, with two operands
const carry = rows(page, 'adc').last();
await carry.click();
started = performance.now();
await page.keyboard.press('Delete');
await page.waitForSelector('#edited .badge.refuted', WAIT);
figures.refuted = Math.round(performance.now() - started);
assert.match(await text(page, '#edited .example'), /0x[0-9a-f]+[^]*weight is 2\^\d+[^]*last written by/);
assert.equal(await count(page, '#listing .blamed'), 1);

// shares: the link shows the same to another reader
await page.click('#share');
const link = await page.evaluate(() => navigator.clipboard.readText());
assert.match(link, /method=operand-caching&e\d+=$/);
const other = await open(new URL(link).hash, await browser.newContext());
await other.waitForSelector('#edited .badge.refuted', WAIT);
assert.equal(await text(other, '#edited .example'), await text(page, '#edited .example'));
await other.context().close();

// a deleted product is missing in the picture; what is taken back is proved
await page.click('#undo');
await page.waitForSelector('#edited:empty', { state: 'attached', ...WAIT });
await rows(page, 'mul').first().click();
await page.click('#delete');
await page.waitForSelector('#picture .missing', WAIT);
await page.waitForSelector('#edited .verdict, #edited.verdict', WAIT);
await page.click('#restore');
await page.waitForSelector('#edited:empty', { state: 'attached', ...WAIT });

// edits: another instruction, and none
const edit = async (row, instruction) => {
  await row.click();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Control+A');
  await page.keyboard.type(instruction);
  await page.keyboard.press('Enter');
};
await edit(rows(page, 'adc').first(), 'add r0, r1');
await page.waitForSelector('#edited.refuted, #edited.unknown', WAIT);
await page.click('#restore');
await edit(rows(page, 'mul').first(), 'multiply r0, r1');
await page.waitForSelector('#edited .fault', WAIT);
assert.match(await text(page, '#edited .fault'), /line \d+/);
await page.click('#restore');

// an object file of the visitor's own
await page.setInputFiles('#file', object);
await page.waitForSelector('#own-form:not([hidden])', WAIT);
await page.selectOption('#own-symbol', 'lost_carry');
await page.selectOption('#own-target', 'atmega128');
await page.fill('#own-contract', 'mul 16');
await page.click('#own-form button.primary');
await page.waitForSelector('#own-verdict .badge.refuted', WAIT);
assert.match(await text(page, '#own-verdict'), /word 3[^]*0xfe[^]*2\^24/);
await page.fill('#own-contract', 'mul nothing');
await page.click('#own-form button.primary');
await page.waitForSelector('#own-verdict .fault', WAIT);

// compares
await page.click('[data-chart=splits]');
await page.waitForSelector('#chart svg', WAIT);
await page.selectOption('#paper', 'hutter-wenger');
await page.click('#show-table');
await page.waitForSelector('#chart table', WAIT);
// of another processor, whose module is loaded for it
if (has('mips')) {
  await page.selectOption('#paper', 'grossschaedl-savas');
  await page.click('#show-table');
  await page.waitForFunction(() => document.getElementById('chart').innerText.includes('GF(2'), null, WAIT);
}

// other processors and operations; what cannot be met is told
for (const [processor, hash] of [
  ['avr', '#op=add&bits=128&target=attiny85'],
  ['arm', '#op=sqr&bits=128&target=cortex-m4'],
  ['riscv', '#op=modmul&modulus=2%5E255-19&target=ibex-fast'],
  ['c55x', '#op=mul&bits=64&target=tms320vc5510'],
]) {
  if (!has(processor)) continue;
  const one = await open(hash);
  await proved(one);
  await one.close();
}
// a whole program is drawn, too: a short one where the module is slow
const program = await open(has('arm') ? '#op=x25519&target=cortex-m4' : '#op=modexp&bits=64&target=atmega328p');
await program.waitForSelector('#picture .band', WAIT);
await program.close();
const refused = await open('#op=mul&bits=160&target=z80');
await refused.waitForSelector('#status .fault', WAIT);
await refused.close();

// offline, once it was loaded
await page.waitForFunction(() => document.getElementById('offline').textContent !== '', null, WAIT);
await context.setOffline(true);
await page.reload();
await proved(page);
await context.setOffline(false);

if (pictures) {
  for (const [name, width, height, scale] of [['wide', 1360, 900, 1], ['narrow', 390, 844, 2]]) {
    for (const colorScheme of ['light', 'dark']) {
      const own = await browser.newContext({ viewport: { width, height }, colorScheme, deviceScaleFactor: scale });
      for (const [what, hash] of [['first', ''], ['caching', '#op=mul&bits=160&target=atmega128&method=operand-caching&step=900']]) {
        const one = await open(hash, own);
        await proved(one);
        await one.waitForTimeout(300);
        if (what === 'caching') {
          const last = rows(one, 'adc').last();
          await last.click();
          await one.click('#delete');
          await one.waitForSelector('#edited .badge.refuted', WAIT);
          await one.waitForTimeout(300);
        }
        await one.screenshot({ path: `${pictures}/${what}-${name}-${colorScheme}.png`, fullPage: true });
        await one.close();
      }
      await own.close();
    }
  }
}
// nothing of the page is wider than a phone
const phone = await open('', await browser.newContext({ viewport: { width: 390, height: 844 } }));
await proved(phone);
assert.ok((await phone.evaluate(() => document.documentElement.scrollWidth)) <= 390, 'wider than a phone');
await browser.close();
assert.deepEqual(complaints, []);
console.log(JSON.stringify(figures));
