#!/usr/bin/env bash
# Of a thousand random instructions of llvm-stress, -Oz leaves eleven at most, and often nothing but `unreachable`.
#
# Version: llvm-stress and opt 22.1.8 (Debian 12).
# Guess:   a program for stress tests of LLVM has loads, stores and arithmetic on its arguments for the passes to work on, so
#          what a list of passes leaves of it tells how good the list is.
# Seen:    nearly all of it is dead or undefined: of 50 programs 16 become the one instruction `unreachable`, and 32 have three or
#          fewer. A score on such programs says whether a list finds the undefined operation.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
apt-get download --quiet=2 llvm-22=1:22.1.8-1~deb12u1 libllvm22=1:22.1.8-1~deb12u1 \
  libbsd0 libedit2 libicu72 libmd0 libxml2 libz3-4
for package in *.deb; do dpkg-deb --extract "$package" .; done
export PATH=$here/usr/lib/llvm-22/bin:$PATH LD_LIBRARY_PATH=$here/usr/lib/x86_64-linux-gnu

count() { grep -cE '^  +[^ ]' "$1"; }
for seed in $(seq 50); do
  llvm-stress -seed "$seed" -size 1000 -o program.ll
  opt -S -passes='default<Oz>' program.ll -o left.ll
  kind=left
  if grep -qE '^  unreachable' left.ll && [ "$(count left.ll)" = 1 ]; then kind=unreachable; fi
  echo "$(count left.ll) $kind of $(count program.ll)"
done > seen
sort -n seen | awk '{ print $1, $2 }' | uniq -c
[ "$(awk '$4 < 1000' seen | wc -l)" = 0 ]
few=$(awk '$1 <= 3' seen | wc -l) most=$(sort -n seen | tail -1 | cut -d' ' -f1) none=$(grep -c unreachable seen)
echo "$none programs end as unreachable, $few have three instructions or fewer, the largest has $most"
[ "$none $few $most" = '16 32 11' ]
