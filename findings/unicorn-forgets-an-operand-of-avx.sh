#!/usr/bin/env bash
# Unicorn computes AVX's products and sums of xmm registers from the target instead of the first source.
#
# Versions: unicorn 2.1.4, keystone-engine 0.9.2, iced-x86 1.21.0.
# Guess:    an instruction that Unicorn does not know is an error, as AVX on ymm registers and FMA are; so code that runs to its
#           end has computed what a processor computes.
# Seen:     vaddsd xmm0, xmm1, xmm2 adds xmm2 to xmm0, as addsd does, and xmm1 is not read: 100 + 10 instead of 1 + 10. So do
#           vmulsd, vsubsd, vaddps, vpaddd and vpxor, of which none is an error. a * b - a, of 3 and 5, is 12 with SSE2 and 0 with
#           AVX. So a check of results by emulation fails for right code that was compiled with -mavx.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet unicorn==2.1.4 keystone-engine==0.9.2 setuptools==65.5.0 iced-x86==1.21.0

"$here/venv/bin/python" - <<'PYTHON'
import struct

import iced_x86
import keystone
import unicorn
from unicorn import x86_const

XMM = [x86_const.UC_X86_REG_XMM0, x86_const.UC_X86_REG_XMM1, x86_const.UC_X86_REG_XMM2]
assembler = keystone.Ks(keystone.KS_ARCH_X86, keystone.KS_MODE_64)


def run(text, numbers, form):
    code = bytes(assembler.asm(text)[0])
    instructions = [f"{instruction:nn}" for instruction in iced_x86.Decoder(64, code)]
    assert [one.replace(",", ", ") for one in instructions] == text.split("; "), instructions
    emulator = unicorn.Uc(unicorn.UC_ARCH_X86, unicorn.UC_MODE_64)
    emulator.mem_map(0x1000, 0x1000)
    emulator.mem_write(0x1000, code)
    for register, number in zip(XMM, numbers):
        emulator.reg_write(register, int.from_bytes(struct.pack(form, number).ljust(16, b"\0"), "little"))
    try:
        emulator.emu_start(0x1000, 0x1000 + len(code))
    except unicorn.UcError as error:
        found = error.errno
    else:
        found = struct.unpack_from(form, emulator.reg_read(XMM[0]).to_bytes(16, "little"))[0]
    print(f"{text}: {'refused' if found == unicorn.UC_ERR_INSN_INVALID else found}")
    return found


start = (100, 1, 10)
for name, form, from_target in (
    ("vaddsd", "<d", 110), ("vmulsd", "<d", 1000), ("vsubsd", "<d", 90), ("vaddps", "<f", 110),
    ("vpaddd", "<i", 110), ("vpxor", "<i", 100 ^ 10),
):
    assert run(f"{name} xmm0, xmm1, xmm2", start, form) == from_target
assert run("vaddps ymm0, ymm1, ymm2", start, "<f") == unicorn.UC_ERR_INSN_INVALID
assert run("vfmadd231sd xmm0, xmm1, xmm2", start, "<d") == unicorn.UC_ERR_INSN_INVALID
assert run("movapd xmm2, xmm0; mulsd xmm2, xmm1; subsd xmm2, xmm0; movapd xmm0, xmm2", (3, 5, 0), "<d") == 12
assert run("vmulsd xmm2, xmm0, xmm1; vsubsd xmm0, xmm2, xmm0", (3, 5, 0), "<d") == 0
PYTHON
