#!/usr/bin/env bash
# Capstone reads 15 of 218 instructions of a function, and ends as if that were all.
#
# Version: capstone 5.0.9; gcc 12.2.0 of the system, whose assembler knows AVX512-FP16.
# Guess:   an instruction that the disassembler does not know is an error, or one entry "(bad)", as with objdump; the length of
#          the list is the number of instructions.
# Seen:    at the first vaddph or vmulsh the iterator ends, without an error. What is built for x86-64-v4 is read as a whole.
#          A count of instructions makes the newer build a ninth of the older.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet capstone==5.0.9
cd "$here"

cat > sums.c <<'C'
_Float16 dot(const _Float16 *a, int n) { _Float16 s = 0; for (int i = 0; i < n; i++) s += a[i] * a[i]; return s; }
void scale(int *a, const int *b, int n) { for (int i = 0; i < n; i++) a[i] += b[i] * 3; }
unsigned long product(unsigned long a, unsigned long b) { return a * b; }
C
seen=
for march in x86-64-v4 sapphirerapids; do
  gcc -O3 "-march=$march" -c sums.c -o sums.o
  objcopy -O binary --only-section=.text sums.o sums.bin
  by_objdump=$(objdump -d --no-show-raw-insn sums.o | grep -cP '^ +[0-9a-f]+:\t')
  by_capstone=$(venv/bin/python -c '
import capstone
code = open("sums.bin", "rb").read()
print(sum(1 for _ in capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64).disasm(code, 0)))')
  echo "gcc -march=$march: $by_objdump instructions by objdump, $by_capstone by capstone"
  seen="$seen $((by_capstone == by_objdump)) $((by_capstone * 10 < by_objdump))"
done
[ "$seen" = ' 1 0 0 1' ]
