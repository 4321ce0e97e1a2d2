#!/usr/bin/env bash
# llc stopped before a pass and started again at that pass gives other machine code than llc alone.
#
# Version: llc 22.1.8 (Debian 12).
# Guess:   -stop-before=PASS and -start-before=PASS with the same options are one run in two halves, as opt's passes are in
#          two calls, so a register allocator or its trainer can be given the dump.
# Seen:    before finalize-isel and before prologepilog the code is the same; before phi-node-elimination it is not: the
#          dump has lost which values die where, and the function has 21 instructions instead of 23, in another order, with
#          other registers saved, and no warning.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
apt-get download --quiet=2 llvm-22=1:22.1.8-1~deb12u1 libllvm22=1:22.1.8-1~deb12u1 \
  libbsd0 libedit2 libicu72 libmd0 libxml2 libz3-4
for package in *.deb; do dpkg-deb --extract "$package" .; done
export PATH=$here/usr/lib/llvm-22/bin:$PATH LD_LIBRARY_PATH=$here/usr/lib/x86_64-linux-gnu

cat > fib.ll <<'IR'
target triple = "x86_64-unknown-linux-gnu"
define i32 @fib(i32 %n) {
  %leaf = icmp slt i32 %n, 2
  br i1 %leaf, label %out, label %loop
loop:
  %k = phi i32 [ %next, %loop ], [ %n, %0 ]
  %sum = phi i32 [ %more, %loop ], [ 0, %0 ]
  %less = add nsw i32 %k, -1
  %part = call i32 @fib(i32 %less)
  %next = add nsw i32 %k, -2
  %more = add nsw i32 %part, %sum
  %last = icmp ult i32 %k, 4
  br i1 %last, label %out, label %loop
out:
  %s = phi i32 [ 0, %0 ], [ %more, %loop ]
  %rest = phi i32 [ %n, %0 ], [ %next, %loop ]
  %r = add nsw i32 %rest, %s
  ret i32 %r
}
IR
count() { grep -cE $'^\t[a-z]' "$1"; }
llc -O2 fib.ll -o whole.s
echo "llc alone: $(count whole.s) instructions"
seen=
for pass in finalize-isel prologepilog phi-node-elimination; do
  llc -O2 "-stop-before=$pass" fib.ll -o dump.mir
  llc -O2 "-start-before=$pass" dump.mir -o resumed.s
  same=$(cmp --quiet whole.s resumed.s && echo same || echo other)
  echo "resumed before $pass: $(count resumed.s) instructions, $same code"
  seen="$seen, $(count resumed.s) $same"
done
[ "$(count whole.s)$seen" = '23, 23 same, 23 same, 21 other' ]
