#!/usr/bin/env bash
# gcc -std=c17 fuses no product with a sum, and gcc -std=gnu17 does, in the same C.
#
# Version: gcc and g++ 12.2.0 (Debian 12).
# Guess:   the name of the standard decides what the compiler accepts, so the code of a program that is valid in both, and uses
#          no extension, is the same.
# Seen:    each standard of ISO switches the contraction off: none of nine fused instructions is left at -O3, and a sum is rounded
#          twice. -ffp-contract=fast beside it gives the code of gnu17, byte for byte. The same lines as C++ keep them for each
#          -std=. So time and the last bit of a result depend on what a build says about extensions, as CMake's C_EXTENSIONS does.
set -euo pipefail
[ "$(gcc -dumpfullversion) $(g++ -dumpfullversion)" = '12.2.0 12.2.0' ] || { echo "gcc 12.2.0 is needed" >&2; exit 2; }
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
cat > sums.c <<'C'
float dot(const float *a, const float *b, int n) {
  float sum = 0;
  for (int i = 0; i < n; i++) sum += a[i] * b[i];
  return sum;
}
void add(float *a, const float *b, float scale, int n) {
  for (int i = 0; i < n; i++) a[i] += scale * b[i];
}
C
seen=
for standard in gnu11 gnu17 c11 c17 'c17 -ffp-contract=fast' 'c++11 -x c++' 'c++17 -x c++' 'gnu++17 -x c++'; do
  gcc -std=$standard -O3 -march=x86-64-v3 -c sums.c -o sums.o
  objcopy -O binary --only-section=.text sums.o text
  fused=$(objdump --disassemble sums.o | grep -c vfm || true)
  echo "-std=$standard: $fused fused instructions, $(stat --format=%s text) bytes, $(md5sum < text | cut -c1-8)"
  seen="$seen $fused"
  cp text "text of $standard"
done
cmp 'text of gnu17' 'text of c17 -ffp-contract=fast'
[ "$seen" = ' 9 9 0 0 9 9 9 9' ]
