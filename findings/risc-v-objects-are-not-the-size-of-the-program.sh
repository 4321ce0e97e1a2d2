#!/usr/bin/env bash
# Of two builds for RISC-V the one with the smaller object is the larger program.
#
# Version: opt, llc and lld 22.1.8 (Debian 12).
# Guess:   the size of .text in an object is that in the program, but for a few bytes of alignment, so an object tells
#          which of two builds is smaller, as it does for x86-64 and AArch64.
# Seen:    without inlining the object has 114 bytes and the program 66, with inlining both have 74. A call has eight bytes in
#          the object, and four once the linker knows how far it is. So inlining and outlining, and rewards for them, are
#          judged by bytes that do not stay. Objects for x86-64 and AArch64 have the size of the program.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
apt-get download --quiet=2 llvm-22=1:22.1.8-1~deb12u1 libllvm22=1:22.1.8-1~deb12u1 lld-22=1:22.1.8-1~deb12u1 \
  libbsd0 libedit2 libicu72 libmd0 libxml2 libz3-4
for package in *.deb; do dpkg-deb --extract "$package" .; done
export PATH=$here/usr/lib/llvm-22/bin:$PATH LD_LIBRARY_PATH=$here/usr/lib/x86_64-linux-gnu

{
  echo 'define internal i64 @mix(i64 %x) {'
  echo '  %a = shl i64 %x, 3'
  echo '  %b = xor i64 %a, %x'
  echo '  ret i64 %b'
  echo '}'
  echo 'define i64 @_start(i64 %x0) {'
  for i in {1..12}; do echo "  %x$i = call i64 @mix(i64 %x$((i - 1)))"; done
  echo '  ret i64 %x12'
  echo '}'
} > mixed.ll

text() { llvm-size -A "$1" | awk '$1 == ".text" { print $2 }'; }
build() { # for a machine, with its attributes, after passes of opt
  opt "-passes=$3" mixed.ll -o mixed.bc
  llc -O2 "-mtriple=$1" "-mattr=$2" -filetype=obj mixed.bc -o mixed.o
  ld.lld mixed.o -o mixed
  object=$(text mixed.o)
  program=$(text mixed)
  echo "$1, $3: $object bytes in the object, $program in the program"
}
for machine in x86_64 aarch64; do
  for passes in no-op-module inline; do
    build "$machine" '' "$passes"
    [ "$object" = "$program" ]
  done
done
build riscv64 +c,+relax no-op-module
calls_object=$object
calls_program=$program
build riscv64 +c,+relax inline
[ "$object" = "$program" ]
[ "$object" -lt "$calls_object" ]
[ "$program" -gt "$calls_program" ]
