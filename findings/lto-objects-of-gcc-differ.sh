#!/usr/bin/env bash
# gcc -flto and -fprofile-generate write another file at each run.
#
# Version: gcc 12.2.0 (Debian 12).
# Guess:   a compiler that gives the same object for the same call at -O2 does so with -flto, so that equal hashes tell
#          that an option changed nothing.
# Seen:    three calls give three objects, one byte or more apart; also with -fprofile-generate. The names of sections
#          and counters have a random number, which -frandom-seed=1 makes the same.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
apt-get download --quiet=2 gcc-12=12.2.0-14+deb12u1 cpp-12=12.2.0-14+deb12u1 libgcc-12-dev=12.2.0-14+deb12u1 \
  libisl23 libmpc3 libmpfr6 libgmp10 binutils-x86-64-linux-gnu libbinutils libctf-nobfd0 libctf0 libgprofng0
for package in *.deb; do dpkg-deb --extract "$package" .; done
export LD_LIBRARY_PATH=$here/usr/lib/x86_64-linux-gnu

echo 'int sum(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }' > sum.c
seen=
for options in -O2 '-O2 -flto' '-O2 -fprofile-generate' '-O2 -flto -frandom-seed=1' '-O2 -fprofile-generate -frandom-seed=1'; do
  for run in 1 2 3; do usr/bin/x86_64-linux-gnu-gcc-12 $options -c sum.c -o sum.o && sha256sum < sum.o; done > hashes
  count=$(sort -u hashes | wc -l)
  echo "gcc $options: $count objects of three calls"
  seen="$seen $count"
done
[ "$seen" = ' 1 3 3 1 1' ]
