#!/usr/bin/env bash
# gcc's attribute optimize("O2") makes other code in a program that is compiled for size than in any other one.
#
# Version: gcc 12.2.0 for x86-64 (Debian 12).
# Guess:   a function with the attribute has the code of -O2, whatever the level of the command line, so a program may have -Os and
#          its hot loops -O2.
# Seen:    with -O1 and -O3 on the command line the function is that of -O2, 124 bytes with vectors. With -Os it has 53 bytes, and
#          no vector, nor is it that of -Os, 41 bytes, which optimize("Os") gives at each level. So levels of single functions,
#          which a search chooses, are other levels in a program for size: let the command line have -O2, and mark what is to be
#          small.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
apt-get download --quiet=2 gcc-12=12.2.0-14+deb12u1 cpp-12=12.2.0-14+deb12u1 libgcc-12-dev=12.2.0-14+deb12u1 \
  binutils-x86-64-linux-gnu=2.40-2 libbinutils=2.40-2 libctf-nobfd0=2.40-2 libctf0=2.40-2 libgprofng0=2.40-2 \
  libisl23 libmpc3 libmpfr6 libgmp10 libjansson4
for package in *.deb; do dpkg-deb --extract "$package" .; done
export LD_LIBRARY_PATH=$here/usr/lib/x86_64-linux-gnu PATH=$here/usr/bin:$PATH

cat > weigh.c <<'C'
#ifdef LEVEL
__attribute__((optimize(LEVEL)))
#endif
int weigh(const int *a, int n) {
  int total = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 4; j++) total += a[4 * i + j] * j;
  return total;
}
C
compile() {
  x86_64-linux-gnu-gcc-12 -Wall -Wextra -Werror "$@" -c weigh.c -o weigh.o
  bytes=$((0x$(x86_64-linux-gnu-nm --print-size weigh.o | awk '/ T weigh$/ { print $2 }')))
  vectors=$(x86_64-linux-gnu-objdump --disassemble weigh.o | grep -c '[[:space:]]padd' || true)
  echo "$*: $bytes bytes, $vectors sums of vectors"
  seen="$seen / $bytes $vectors"
}
seen=
for level in O1 O2 O3 Os; do compile "-$level" '-DLEVEL="O2"'; done
for level in O1 O2 O3 Os; do compile "-$level" '-DLEVEL="Os"'; done
for level in O2 Os; do compile "-$level"; done
[ "$seen" = ' / 124 2 / 124 2 / 124 2 / 53 0 / 41 0 / 41 0 / 41 0 / 41 0 / 124 2 / 41 0' ]
