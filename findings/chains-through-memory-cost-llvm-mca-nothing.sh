#!/usr/bin/env bash
# To llvm-mca a product that is kept in memory is almost three times as fast as the same product in a register.
#
# Version: llvm-mca 22.1.8 (Debian 12).
# Guess:   a round of a loop that loads a product, multiplies it and stores it to the same place waits for the round before, so it
#          takes the multiplication and the way through memory.
# Seen:    no load waits for a store, though the address is the same, letter for letter: a round has 1.1 cycles instead of 9,
#          and 3 in a register. So code that keeps its variables in memory, as that of -O0 does, beats better code.
#          -noalias=false counts the way, and lets each load wait for all stores before it.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
apt-get download --quiet=2 llvm-22=1:22.1.8-1~deb12u1 libllvm22=1:22.1.8-1~deb12u1 \
  libbsd0 libedit2 libicu72 libmd0 libxml2 libz3-4
for package in *.deb; do dpkg-deb --extract "$package" .; done
export PATH=$here/usr/lib/llvm-22/bin:$PATH LD_LIBRARY_PATH=$here/usr/lib/x86_64-linux-gnu

echo 'imull %edi, %eax' > register.s
printf 'movl (%%rsp), %%eax\nimull %%edi, %%eax\nmovl %%eax, (%%rsp)\n' > memory.s
cycles() { # of a hundred rounds
  found=$(llvm-mca -mtriple=x86_64-linux-gnu "-mcpu=$1" -iterations=100 "${@:2}" | awk '/^Total Cycles:/ { print $3 }')
  echo "$*: $found cycles"
}
for cpu in skylake znver4; do
  cycles "$cpu" register.s
  register=$found
  [ "$register" -gt 300 ]
  cycles "$cpu" memory.s
  [ $((found * 2)) -lt "$register" ]
  cycles "$cpu" -noalias=false memory.s
  [ "$found" -gt $((register * 2)) ]
done
