"""Runs MIPS32 code, little-endian, in unicorn, an emulator made of QEMU.

Arguments: the folder that holds the package. Each line of standard input is a list of jobs in JSON; the answer is a
line with the list of outcomes. A job:

  origin       byte address of `code`, from 0x10000 on
  code         words of machine code
  registers    $0 to $31
  accumulator  LO and HI
  until        byte address where the run ends
  limit        most instructions
  memory       list of [byte address, words], from 0x40000000 on

An outcome: stop (0 done, 2 exception), registers, accumulator, and memory: the words of the same places.
"""

import json
import struct
import sys

sys.path.insert(0, sys.argv[1])

from unicorn import UC_ARCH_MIPS, UC_MODE_LITTLE_ENDIAN, UC_MODE_MIPS32, Uc, UcError  # noqa: E402
from unicorn.mips_const import (  # noqa: E402
    UC_CPU_MIPS32_4KM,
    UC_MIPS_REG_0,
    UC_MIPS_REG_HI,
    UC_MIPS_REG_LO,
)

CODE, DATA, BYTES = 0x10000, 0x40000000, 0x10000


def emulator():
    uc = Uc(UC_ARCH_MIPS, UC_MODE_MIPS32 | UC_MODE_LITTLE_ENDIAN)
    uc.ctl_set_cpu_model(UC_CPU_MIPS32_4KM)
    uc.mem_map(CODE, BYTES)
    uc.mem_map(DATA, BYTES)
    return uc


uc = emulator()


def run(job):
    global uc
    code = job["code"]
    uc.mem_write(job["origin"], struct.pack(f"<{len(code)}I", *code))
    # what was translated there before is not seen to have changed
    uc.ctl_remove_cache(job["origin"], job["origin"] + 4 * len(code))
    for address, words in job["memory"]:
        uc.mem_write(address, struct.pack(f"<{len(words)}I", *words))
    for number, value in enumerate(job["registers"]):
        uc.reg_write(UC_MIPS_REG_0 + number, value)
    uc.reg_write(UC_MIPS_REG_LO, job["accumulator"][0])
    uc.reg_write(UC_MIPS_REG_HI, job["accumulator"][1])
    stop = 0
    try:
        uc.emu_start(job["origin"], job["until"], count=job["limit"])
    except UcError:
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
        "registers": [used.reg_read(UC_MIPS_REG_0 + number) for number in range(32)],
        "accumulator": [used.reg_read(UC_MIPS_REG_LO), used.reg_read(UC_MIPS_REG_HI)],
        "memory": memory,
    }


for line in sys.stdin:
    print(json.dumps([run(job) for job in json.loads(line)]), flush=True)
