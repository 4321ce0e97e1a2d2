#!/usr/bin/env bash
# gcc -O2 -ftree-loop-vectorize is not gcc -O2, although the vectoriser is on at -O2.
#
# Version: gcc 12.2.0 (Debian 12).
# Guess:   an option that `gcc -O2 -Q --help=optimizers` lists as enabled changes nothing if it is given as well.
# Seen:    who names it gets another cost model too, "cheap" instead of "very-cheap": two loops of a line become vectors, and
#          131 bytes of code become 225. -ftree-vectorize does the same, and -ftree-slp-vectorize nothing. So a search over
#          flags finds a gain or a loss in an option that is on already; -fvect-cost-model=very-cheap beside it takes it back.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
apt-get download --quiet=2 gcc-12=12.2.0-14+deb12u1 cpp-12=12.2.0-14+deb12u1 libgcc-12-dev=12.2.0-14+deb12u1 \
  libisl23 libmpc3 libmpfr6 libgmp10 binutils-x86-64-linux-gnu libbinutils libctf-nobfd0 libctf0 libgprofng0
for package in *.deb; do dpkg-deb --extract "$package" .; done
export LD_LIBRARY_PATH=$here/usr/lib/x86_64-linux-gnu
export PATH=$here/usr/bin:$PATH

cat > loops.c <<'C'
void clear(float *a, int n) { for (int i = 0; i < n; i++) a[i] = 0; }
int sum(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
C
x86_64-linux-gnu-gcc-12 -O2 -Q --help=optimizers | grep -E 'ftree-(loop|slp)-vectorize' | tee listed
[ "$(grep -c enabled listed)" = 2 ]
seen=
for options in '' -ftree-slp-vectorize -ftree-loop-vectorize -ftree-vectorize \
  '-ftree-loop-vectorize -fvect-cost-model=very-cheap'; do
  x86_64-linux-gnu-gcc-12 -O2 $options -c loops.c -o loops.o
  bytes=$(x86_64-linux-gnu-size loops.o | awk 'NR == 2 { print $1 }')
  echo "-O2 $options: $bytes bytes"
  seen="$seen $bytes"
done
[ "$seen" = ' 131 131 225 225 131' ]
