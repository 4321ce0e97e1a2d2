#!/usr/bin/env bash
# llvm-split followed by llvm-link does not give the program back, even with one part.
#
# Version: llvm-split, llvm-link and opt 22.1.8 (Debian 12).
# Guess:   the parts linked again are the program in another order, and -Oz leaves as many instructions.
# Seen:    what was internal has become hidden and stays so: static functions and variables must be kept. Of this program
#          -Oz leaves 6 instructions, and 12 once it was split, `-j1` included. --preserve-locals keeps them.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
apt-get download --quiet=2 llvm-22=1:22.1.8-1~deb12u1 libllvm22=1:22.1.8-1~deb12u1 \
  libbsd0 libedit2 libicu72 libmd0 libxml2 libz3-4
for package in *.deb; do dpkg-deb --extract "$package" .; done
export PATH=$here/usr/lib/llvm-22/bin:$PATH LD_LIBRARY_PATH=$here/usr/lib/x86_64-linux-gnu

cat > program.ll <<'IR'
@k = internal global i32 5
define internal i32 @scaled(i32 %x) {
  %k = load i32, ptr @k
  %y = mul i32 %x, %k
  ret i32 %y
}
define i32 @f(i32 %x) {
  %y = call i32 @scaled(i32 %x)
  %z = call i32 @scaled(i32 3)
  %s = add i32 %y, %z
  ret i32 %s
}
define i32 @g(i32 %x) {
  %y = call i32 @scaled(i32 %x)
  %z = call i32 @f(i32 %y)
  ret i32 %z
}
IR
left() { opt -S -passes='default<Oz>' "$1" | grep -cE '^  [%a-z]'; }
seen=$(left program.ll)
for options in -j1 -j2 '-j2 --preserve-locals'; do
  rm -f part?
  llvm-split $options program.ll -o part
  llvm-link part? -o linked.bc
  seen="$seen $(left linked.bc)"
done
echo "instructions after -Oz, of the program, of one part, of two parts, and of two with --preserve-locals: $seen"
[ "$seen" = '6 12 12 6' ]
