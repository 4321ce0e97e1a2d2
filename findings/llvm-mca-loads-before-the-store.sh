#!/usr/bin/env bash
# llvm-mca loads a value from the stack before it has been stored there.
#
# Version: llvm-mca 22.1.8 (Debian 12).
# Guess:   a loop whose sum goes through 8(%rsp) waits for it in each round, since the store and the load name the same
#          address.
# Seen:    every load is taken to be of another address: 100 rounds take 108 cycles. With -noalias=false they take 703, but
#          then a load from another register's address waits as well. So spills, and code of -O0, look as fast as registers.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
apt-get download --quiet=2 llvm-22=1:22.1.8-1~deb12u1 libllvm22=1:22.1.8-1~deb12u1 \
  libbsd0 libedit2 libicu72 libmd0 libxml2 libz3-4
for package in *.deb; do dpkg-deb --extract "$package" .; done
export PATH=$here/usr/lib/llvm-22/bin:$PATH LD_LIBRARY_PATH=$here/usr/lib/x86_64-linux-gnu

printf 'addq $1, %%rax\nmovq %%rax, 8(%%rsp)\nmovq 8(%%rsp), %%rax\n' > same.s
printf 'addq $1, %%rax\nmovq %%rax, 8(%%rsp)\nmovq 64(%%rdi), %%rbx\n' > other.s
cycles() { llvm-mca -mtriple=x86_64 -mcpu=skylake -iterations=100 "$@" | awk '/Total Cycles/ { print $3 }'; }
seen="$(cycles same.s) $(cycles -noalias=false same.s) $(cycles -noalias=false other.s)"
echo "cycles of 100 rounds, through the stack, so with -noalias=false, and so with a load from elsewhere: $seen"
[ "$seen" = '108 703 604' ]
