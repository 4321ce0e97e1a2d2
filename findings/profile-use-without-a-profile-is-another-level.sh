#!/usr/bin/env bash
# gcc -fprofile-use without a profile makes other code than gcc without the option.
#
# Version: gcc 12.2.0 (Debian 12).
# Guess:   where no profile is found, as gcc's own warning says, the option changes nothing, so what a build with it gains
#          is the gain of the profile.
# Seen:    the option turns on unrolling, peeling and more of the vectoriser, profile or not: an object of 93 bytes has
#          689. With -Os it stays the same. A wrong path of the profile passes for a gain or a loss by profiles.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
apt-get download --quiet=2 gcc-12=12.2.0-14+deb12u1 cpp-12=12.2.0-14+deb12u1 libgcc-12-dev=12.2.0-14+deb12u1 \
  libisl23 libmpc3 libmpfr6 libgmp10 binutils-x86-64-linux-gnu libbinutils libctf-nobfd0 libctf0 libgprofng0
for package in *.deb; do dpkg-deb --extract "$package" .; done
export LD_LIBRARY_PATH=$here/usr/lib/x86_64-linux-gnu
export PATH=$here/usr/bin:$PATH

echo 'int sum(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i] ^ i; return s; }' > sum.c
seen=
for options in -O2 '-O2 -fprofile-use' -Os '-Os -fprofile-use'; do
  said=$(x86_64-linux-gnu-gcc-12 $options -c sum.c -o sum.o 2>&1 | grep -o 'profile count data file not found' || true)
  bytes=$(x86_64-linux-gnu-size sum.o | awk 'NR == 2 { print $1 }')
  echo "$options: $bytes bytes ${said:+($said)}"
  seen="$seen $bytes${said:+w}"
  mv sum.o "sum${options// /}.o"
done
[ "$seen" = ' 93 689w 71 71w' ] && cmp sum-Os.o sum-Os-fprofile-use.o
