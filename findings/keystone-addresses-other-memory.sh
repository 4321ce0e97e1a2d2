#!/usr/bin/env bash
# Keystone assembles AVX-512 instructions that read and write other memory than their text says.
#
# Versions: keystone-engine 0.9.2, iced-x86 1.21.0, capstone 5.0.9.
# Guess:    an assembler made of LLVM's own encodes vmovups zmm0, [rax + 64] as LLVM does, or refuses what it cannot encode.
# Seen:     these instructions have displacements of one byte that counts whole operands. Keystone finds out that 64 is one
#           operand, and then writes the byte 64, so the code reads [rax + 4096]; from 128 comes -8,192, and from 4,096 zero. A
#           store does the same. An odd displacement and AVX2 are right. Nothing warns, so a kernel that went through
#           Keystone computes something else.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet keystone-engine==0.9.2 iced-x86==1.21.0 capstone==5.0.9

"$here/venv/bin/python" - <<'PYTHON'
import capstone
import iced_x86
import keystone

assembler = keystone.Ks(keystone.KS_ARCH_X86, keystone.KS_MODE_64)
disassembler = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
disassembler.detail = True
for text, read in (
    ("vmovups zmm0, [rax + 64]", 4096),
    ("vmovups [rax + 64], zmm0", 4096),
    ("vmovups zmm0, [rax + 128]", -8192),
    ("vmovups zmm0, [rax + 4096]", 0),
    ("vfmadd231ps zmm0, zmm1, [rax + 64]", 4096),
    ("vmovups zmm0, [rax + 63]", 63),
    ("vmovups ymm0, [rax + 64]", 64),
):
    code = bytes(assembler.asm(text)[0])
    found = iced_x86.Decoder(64, code).decode().memory_displacement
    found -= 2**64 if found >= 2**63 else 0
    (memory,) = (o.mem for o in next(disassembler.disasm(code, 0)).operands if o.type == capstone.x86.X86_OP_MEM)
    print(f"{text}: {code.hex()}, with [rax + {found}]")
    assert (found, memory.disp) == (read, read)
PYTHON
