// avr8js: runs single instructions or routines on the npm package avr8js, for comparison.
//
//     node avr8js.mjs PACKAGE FLASH_BYTES DATA_END
//
// PACKAGE is the folder of the installed package. Reads one JSON array of jobs a line from standard
// input and writes one array of outcomes a line to standard output. Addresses of code are in words.
//
//     job      {origin, words, registers, sreg, sp, pc, limit, return_to, memory: [[address, bytes]],
//               watch: [[address, length]]}            limit 0: exactly one instruction
//     outcome  {stop, registers, sreg, sp, pc, cycles, instructions, memory: [bytes]}
//
// The same meaning as in simavr.c.

import { createInterface } from 'node:readline';
import { createRequire } from 'node:module';

const [folder, flashBytes, dataEnd] = process.argv.slice(2);
const { CPU, avrInstruction } = createRequire(import.meta.url)(folder);

const SREG = 0x5f;
const program = new Uint16Array(Number(flashBytes) / 2);
// the constructor adds 0x100 bytes of registers to the SRAM it is told
const cpu = new CPU(program, Number(dataEnd) - 0x100);

function run(job) {
  program.set(job.words, job.origin);
  cpu.reset();
  cpu.data.fill(0);
  cpu.data.set(job.registers);
  cpu.data[SREG] = job.sreg;
  cpu.SP = job.sp;
  cpu.pc = job.pc;
  cpu.cycles = 0;
  for (const [address, bytes] of job.memory) cpu.data.set(bytes, address);
  if (job.limit !== 0) {
    for (let i = 0; i < (cpu.pc22Bits ? 3 : 2); i++) {
      cpu.data[cpu.SP] = (job.return_to >> (8 * i)) & 0xff;
      cpu.SP -= 1;
    }
  }
  let instructions = 0;
  let stop = 0;
  for (;;) {
    avrInstruction(cpu);
    instructions++;
    if (job.limit === 0 || (cpu.pc === job.return_to && cpu.SP === job.sp)) break;
    if (instructions === job.limit) {
      stop = 1;
      break;
    }
  }
  return {
    stop,
    registers: Array.from(cpu.data.slice(0, 32)),
    sreg: cpu.data[SREG],
    sp: cpu.SP,
    pc: cpu.pc,
    cycles: cpu.cycles,
    instructions,
    memory: job.watch.map(([address, length]) => Array.from(cpu.data.slice(address, address + length))),
  };
}

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  process.stdout.write(JSON.stringify(JSON.parse(line).map(run)) + '\n');
}
