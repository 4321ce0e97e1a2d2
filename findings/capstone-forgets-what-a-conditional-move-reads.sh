#!/usr/bin/env bash
# Capstone leaves out registers that an instruction reads, for every conditional move.
#
# Versions: capstone 5.0.9, iced-x86 1.21.0.
# Guess:    regs_access() gives all registers that an instruction reads and writes, so the chains of a block can be built from it.
# Seen:     the old value of a conditional move's target, which stays if the condition is false, is not read; of vpaddd with a
#           mask the last source is not; vpshufd and valignd of AVX-512 read and write nothing. iced-x86 has all of them.
#           So chains of minima, maxima and masked vectors break off, and a block looks as if it took fewer cycles.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet capstone==5.0.9 iced-x86==1.21.0

"$here/venv/bin/python" - <<'PYTHON'
import capstone
import iced_x86

READS = {getattr(iced_x86.OpAccess, name) for name in ("READ", "COND_READ", "READ_WRITE", "READ_COND_WRITE")}
NAMES = {getattr(iced_x86.Register, name): name.lower() for name in dir(iced_x86.Register) if name.isupper()}
disassembler = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
disassembler.detail = True


def used_by_capstone(code):
    instruction = next(disassembler.disasm(code, 0))
    used = [{disassembler.reg_name(one) for one in access} - {"rflags"} for access in instruction.regs_access()]
    return f"{instruction.mnemonic} {instruction.op_str}", *used


def read_by_iced(code):
    instruction = iced_x86.Decoder(64, code).decode()
    used = iced_x86.InstructionInfoFactory().info(instruction).used_registers()
    return {NAMES[one.register] for one in used if one.access in READS}


moves = {f"0f{0x40 + condition:02x}d8": ({"ebx"}, {"ebx"}) for condition in range(16)}
whole = {"0fafc3": (set(), {"eax"}), "62f17548fec2": (set(), {"zmm0"})}
masked = {"62f17549fec2": ({"zmm2"}, {"zmm0"})}
nothing = {"62a17d2870e050": ({"ymm16"}, set()), "6273752803e107": ({"ymm1"}, set())}
wrong = []
for code, expected in {**whole, **moves, **masked, **nothing}.items():
    text, read, written = used_by_capstone(bytes.fromhex(code))
    missed = read_by_iced(bytes.fromhex(code)) - read
    print(f"{text}: capstone reads {sorted(read)} and writes {sorted(written)}, and misses {sorted(missed)}")
    if (missed, written) != expected:
        wrong.append(text)
raise SystemExit(f"not as expected: {wrong}" if wrong else 0)
PYTHON
