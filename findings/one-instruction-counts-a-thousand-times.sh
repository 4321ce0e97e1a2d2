#!/usr/bin/env bash
# Callgrind and Unicorn count one instruction a thousand times.
#
# Versions: valgrind 3.19.0 (Debian 12), unicorn 2.1.4; gcc 12.2.0 of the system.
# Guess:   the instruction count of a simulator is that of the program: a function of three instructions without a loop
#          has three.
# Seen:    each round of `rep movs` counts. gcc -Os copies 4,096 bytes by four a round, and has twice the count of -O2, which
#          copies eight a round. So a count of instructions that stands for the time of a program, or for a reward,
#          says above all how structures are copied.
set -euo pipefail
[ "$(gcc -dumpfullversion)" = 12.2.0 ] || { echo "gcc 12.2.0 is needed" >&2; exit 2; }
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet unicorn==2.1.4
cd "$here"
apt-get download --quiet=2 valgrind=1:3.19.0-1
dpkg-deb --extract valgrind*.deb .
export VALGRIND_LIB=$here/usr/libexec/valgrind

cat > copy.c <<'C'
struct big { char bytes[4096]; } from, to;
__attribute__((noinline)) void copy(struct big *a, const struct big *b) { *a = *b; }
int main(void) { copy(&to, &from); return to.bytes[0]; }
C
seen=
for level in -O2 -Os; do
  gcc $level -static copy.c -o copy
  objdump -d --no-show-raw-insn --disassemble=copy copy | awk '/:\t/' > code
  counted=$(usr/bin/valgrind --tool=callgrind --callgrind-out-file=/dev/null --toggle-collect=copy ./copy 2>&1 |
    awk '/Collected/ { print $4 }')
  echo "gcc $level: $(wc -l < code) instructions, of them $(grep -oE 'rep (movs|stos)[a-z]*' code); callgrind counts $counted"
  seen="$seen $counted"
done
by_unicorn=$(venv/bin/python - <<'PYTHON'
from unicorn import UC_ARCH_X86, UC_HOOK_CODE, UC_MODE_64, Uc
from unicorn.x86_const import UC_X86_REG_RDI, UC_X86_REG_RSI

code = bytes.fromhex("b9000c0000 f3a4 90")  # mov ecx, 3072; rep movsb; nop
machine, called = Uc(UC_ARCH_X86, UC_MODE_64), []
machine.mem_map(0x10000, 0x4000)
machine.mem_write(0x10000, code)
machine.reg_write(UC_X86_REG_RSI, 0x11000)
machine.reg_write(UC_X86_REG_RDI, 0x12000)
machine.hook_add(UC_HOOK_CODE, lambda machine, address, size, _: called.append(address))
machine.emu_start(0x10000, 0x10000 + len(code))
print(len(called))
PYTHON
)
echo "unicorn calls the hook of each instruction $by_unicorn times for three instructions that copy 3,072 bytes"
[ "$seen $by_unicorn" = ' 524 1027 3075' ]
