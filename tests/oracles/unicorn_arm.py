"""Runs ARM code in unicorn, an emulator made of QEMU.

Arguments: the folder that holds the package; for Thumb state the name of a Cortex-M (M0, M3, M4, M7, M33). Each line of standard input is a list of jobs in JSON; the answer is a
line with the list of outcomes. A job:

  origin     byte address of `code`, from 0x8000 on; in Thumb state also from 0x20020000 on
  code       words of machine code
  registers  R0 to R14
  extension  S0 to S31, or nothing
  flags      N, Z, C and V as bits 3 to 0
  limit      0: the first instruction alone, which goes on with the next; else up to that many instructions, until
             `return_to` is reached
  return_to  byte address
  memory     list of [byte address, words], from 0x40000000 on; in Thumb state from 0x20000000 on

An outcome: stop (0 done, 1 limit, 2 refused), registers, extension, flags, pc, and memory: the words of the same places.
"""

import json
import struct
import sys

sys.path.insert(0, sys.argv[1])

from unicorn import UC_ARCH_ARM, UC_MODE_ARM, UC_MODE_MCLASS, UC_MODE_THUMB, Uc, UcError  # noqa: E402
from unicorn import arm_const  # noqa: E402
from unicorn.arm_const import (  # noqa: E402
    UC_ARM_REG_CPSR,
    UC_ARM_REG_LR,
    UC_ARM_REG_PC,
    UC_ARM_REG_R0,
    UC_ARM_REG_R12,
    UC_ARM_REG_S0,
    UC_ARM_REG_SP,
    UC_ARM_REG_XPSR,
    UC_CPU_ARM_TI925T,
)

MODEL = sys.argv[2] if len(sys.argv) > 2 else None
CODE, CODE_BYTES = 0x0, 0x20000
DATA, DATA_BYTES = 0x20000000 if MODEL else 0x40000000, 0x40000
SINGLES = [UC_ARM_REG_S0 + number for number in range(32)]
REGISTERS = [UC_ARM_REG_R0 + number for number in range(12)] + [UC_ARM_REG_R12, UC_ARM_REG_SP, UC_ARM_REG_LR]

uc = Uc(UC_ARCH_ARM, UC_MODE_THUMB | UC_MODE_MCLASS if MODEL else UC_MODE_ARM)
# of the models, the one that is ARMv4T
uc.ctl_set_cpu_model(getattr(arm_const, f"UC_CPU_ARM_CORTEX_{MODEL}") if MODEL else UC_CPU_ARM_TI925T)
STATUS = UC_ARM_REG_XPSR if MODEL else UC_ARM_REG_CPSR
uc.mem_map(CODE, CODE_BYTES)
uc.mem_map(DATA, DATA_BYTES)
if MODEL in ("M4", "M7", "M33"):
    # CPACR: access to the floating-point unit
    uc.mem_map(0xE000E000, 0x1000)
    uc.mem_write(0xE000ED88, struct.pack("<I", 0xF << 20))
# the mode stays what it is
CONTROL = 1 << 24 if MODEL else uc.reg_read(STATUS) & 0x0FFFFFFF
# an odd address starts Thumb state
STATE = 1 if MODEL else 0


def run(job):
    origin, code = job["origin"], job["code"]
    uc.mem_write(origin, struct.pack(f"<{len(code)}I", *code))
    for address, words in job["memory"]:
        uc.mem_write(address, struct.pack(f"<{len(words)}I", *words))
    for register, value in zip(REGISTERS, job["registers"]):
        uc.reg_write(register, value)
    for register, value in zip(SINGLES, job["extension"]):
        uc.reg_write(register, value)
    uc.reg_write(STATUS, job["flags"] << 28 | CONTROL)
    stop = 0
    try:
        if job["limit"] == 0:
            # without a count, which costs ten times as much
            uc.emu_start(origin | STATE, origin + 4)
        else:
            # with a count, what was translated there before is not seen to have changed
            uc.ctl_remove_cache(origin, origin + 4 * len(code))
            uc.emu_start(origin | STATE, job["return_to"], count=job["limit"])
            if uc.reg_read(UC_ARM_REG_PC) != job["return_to"]:
                stop = 1
    except UcError:
        stop = 2
    memory = []
    for address, words in job["memory"]:
        memory.append(struct.unpack(f"<{len(words)}I", uc.mem_read(address, 4 * len(words))))
    return {
        "stop": stop,
        "registers": [uc.reg_read(register) for register in REGISTERS],
        "extension": [uc.reg_read(register) for register in SINGLES[: len(job["extension"])]],
        "flags": uc.reg_read(STATUS) >> 28,
        "pc": uc.reg_read(UC_ARM_REG_PC),
        "memory": memory,
    }


for line in sys.stdin:
    print(json.dumps([run(job) for job in json.loads(line)]), flush=True)
