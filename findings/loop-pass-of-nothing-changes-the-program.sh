#!/usr/bin/env bash
# A loop pass that does nothing, or only prints, changes the program.
#
# Version: opt 22.1.8 (Debian 12).
# Guess:   -passes=no-op-loop and -passes='print<loopnest>' leave the program as it is, as no-op-function does.
# Seen:    before any loop pass each loop is brought into a simple form, with blocks of its own before and after it:
#          14 instructions instead of 11. What a loop pass alone adds is not what the pass does.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
apt-get download --quiet=2 llvm-22=1:22.1.8-1~deb12u1 libllvm22=1:22.1.8-1~deb12u1 \
  libbsd0 libedit2 libicu72 libmd0 libxml2 libz3-4
for package in *.deb; do dpkg-deb --extract "$package" .; done
export PATH=$here/usr/lib/llvm-22/bin:$PATH LD_LIBRARY_PATH=$here/usr/lib/x86_64-linux-gnu

cat > loop.ll <<'IR'
define i32 @sum(ptr %p, i32 %n, i1 %some) {
entry:
  br i1 %some, label %loop, label %done
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %t, %loop ]
  %at = getelementptr i32, ptr %p, i32 %i
  %v = load i32, ptr %at
  %t = add i32 %s, %v
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  %r = phi i32 [ 0, %entry ], [ %t, %loop ]
  ret i32 %r
}
IR
seen=
for passes in no-op-function no-op-loop 'print<loopnest>'; do
  count=$(opt -S -passes="$passes" loop.ll 2>/dev/null | grep -cE '^  [%a-z]')
  echo "$passes: $count instructions"
  seen="$seen $count"
done
[ "$seen" = ' 11 14 14' ]
