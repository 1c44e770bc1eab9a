// rp2040js: runs Thumb code on the Cortex-M0+ of the npm package rp2040js, for comparison.
//
//     node rp2040js.mjs PACKAGE
//
// PACKAGE is the folder of the installed package. Reads one JSON array of jobs a line from standard input and writes
// one array of pairs a line to standard output: an outcome and its cycles. Jobs and outcomes are those of
// unicorn_arm.py, with all code in SRAM, from 0x20020000 on; limit 0 is exactly one instruction, wherever it goes.

import { createInterface } from 'node:readline';
import { createRequire } from 'node:module';

const { RP2040 } = createRequire(import.meta.url)(process.argv[2]);

const chip = new RP2040();
const core = chip.core;
let refused = false;
const refuse = () => (refused = true);
chip.logger = { debug() {}, info() {}, warn: refuse, error: refuse };
chip.onBreak = refuse;

const write = (address, words) => words.forEach((word, i) => chip.writeUint32(address + 4 * i, word));

function run(job) {
  write(job.origin, job.code);
  for (const [address, words] of job.memory) write(address, words);
  core.registers.set(job.registers);
  core.APSR = job.flags << 28;
  core.PC = job.origin;
  core.cycles = 0;
  refused = false;
  let instructions = 0;
  let stop = 0;
  for (;;) {
    core.executeInstruction();
    instructions++;
    if (refused) {
      stop = 2;
      break;
    }
    if (job.limit === 0 || core.PC === job.return_to) break;
    if (instructions === job.limit) {
      stop = 1;
      break;
    }
  }
  const read = (address, words) => words.map((_, i) => chip.readUint32(address + 4 * i));
  const outcome = {
    stop,
    registers: Array.from(core.registers.slice(0, 15)),
    flags: core.APSR >>> 28,
    pc: core.PC,
    memory: job.memory.map(([address, words]) => read(address, words)),
  };
  return [outcome, core.cycles];
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  process.stdout.write(JSON.stringify(JSON.parse(line).map(run)) + '\n');
}
