"""Runs code of MIPS32 or RV32IMC, little-endian, in unicorn, an emulator made of QEMU.

Arguments: the folder that holds the package, and `mips` or `riscv`. Each line of standard input is a list of jobs in JSON;
the answer is a line with the list of outcomes. A job:

  origin       byte address of `code`, from 0x10000 on (MIPS) or from 0x1000 on (RISC-V)
  code         machine code: words (MIPS) or halfwords (RISC-V)
  registers    the 32 registers
  accumulator  LO and HI, of MIPS alone
  until        byte address where the run ends
  limit        most instructions
  memory       list of [byte address, words], from 0x40000000 on (MIPS) or from 0x8000 on (RISC-V)

An outcome: stop (0 done, 2 exception), registers, accumulator, and memory: the words of the same places.
"""

import json
import struct
import sys

sys.path.insert(0, sys.argv[1])

import unicorn  # noqa: E402
from unicorn import mips_const, riscv_const  # noqa: E402

if sys.argv[2] == "mips":
    KIND = unicorn.UC_ARCH_MIPS, unicorn.UC_MODE_MIPS32 | unicorn.UC_MODE_LITTLE_ENDIAN
    MODEL = mips_const.UC_CPU_MIPS32_4KM
    FIRST = mips_const.UC_MIPS_REG_0
    ACCUMULATOR = mips_const.UC_MIPS_REG_LO, mips_const.UC_MIPS_REG_HI
    UNIT, PLACES = "I", ((0x10000, 0x10000), (0x40000000, 0x10000))
else:
    KIND = unicorn.UC_ARCH_RISCV, unicorn.UC_MODE_RISCV32
    MODEL = riscv_const.UC_CPU_RISCV32_ANY
    FIRST = riscv_const.UC_RISCV_REG_X0
    ACCUMULATOR = ()
    UNIT, PLACES = "H", ((0, 0x40000),)


def emulator():
    uc = unicorn.Uc(*KIND)
    uc.ctl_set_cpu_model(MODEL)
    for place, length in PLACES:
        uc.mem_map(place, length)
    return uc


uc = emulator()


def run(job):
    global uc
    code = struct.pack(f"<{len(job['code'])}{UNIT}", *job["code"])
    uc.mem_write(job["origin"], code)
    # what was translated there before is not seen to have changed
    uc.ctl_remove_cache(job["origin"], job["origin"] + len(code))
    for address, words in job["memory"]:
        uc.mem_write(address, struct.pack(f"<{len(words)}I", *words))
    for number, value in enumerate(job["registers"]):
        uc.reg_write(FIRST + number, value)
    for register, value in zip(ACCUMULATOR, job.get("accumulator", ())):
        uc.reg_write(register, value)
    stop = 0
    try:
        uc.emu_start(job["origin"], job["until"], count=job["limit"])
    except unicorn.UcError:
        stop = 2
    memory = []
    used = uc
    if stop:
        # an exception leaves its marks
        uc = emulator()
    for address, words in job["memory"]:
        memory.append(struct.unpack(f"<{len(words)}I", used.mem_read(address, 4 * len(words))))
    return {
        "stop": stop,
        "registers": [used.reg_read(FIRST + number) for number in range(32)],
        "accumulator": [used.reg_read(register) for register in ACCUMULATOR],
        "memory": memory,
    }


for line in sys.stdin:
    print(json.dumps([run(job) for job in json.loads(line)]), flush=True)
