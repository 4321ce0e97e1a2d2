#!/usr/bin/env bash
# opt makes another program when an option is given the value that opt says it has.
#
# Version: opt 22.1.8 (Debian 12).
# Guess:   --print-all-options prints the values that are in use, so -inline-threshold=225, where it prints 225, changes nothing.
# Seen:    an option that was given replaces what the level and the target would have chosen, whatever its value: default<Oz>
#          leaves 94 instructions instead of 36 with -inline-threshold=225, and default<O2> no longer unrolls a loop with
#          -partial-unrolling-threshold=0. So a search that starts from the printed values starts from another compiler, and a
#          baseline is a call without the option.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
apt-get download --quiet=2 llvm-22=1:22.1.8-1~deb12u1 libllvm22=1:22.1.8-1~deb12u1 \
  libbsd0 libedit2 libicu72 libmd0 libxml2 libz3-4
for package in *.deb; do dpkg-deb --extract "$package" .; done
export PATH=$here/usr/lib/llvm-22/bin:$PATH LD_LIBRARY_PATH=$here/usr/lib/x86_64-linux-gnu

{
  echo 'define internal i32 @mix(i32 %a, i32 %b) {'
  echo '  %v0 = add i32 %a, %b'
  for i in $(seq 0 3 27); do
    echo "  %v$((i + 1)) = xor i32 %v$i, %a"
    echo "  %v$((i + 2)) = mul i32 %v$((i + 1)), %b"
    echo "  %v$((i + 3)) = sub i32 %v$((i + 2)), %a"
  done
  cat <<'IR'
  ret i32 %v30
}
define i32 @f(i32 %a, i32 %b) {
  %p = call i32 @mix(i32 %a, i32 %b)
  %q = call i32 @mix(i32 %b, i32 %p)
  %r = call i32 @mix(i32 %q, i32 %a)
  ret i32 %r
}
IR
} > calls.ll
cat > loop.ll <<'IR'
target triple = "x86_64-unknown-linux-gnu"
define i32 @hash(ptr %p, i64 %n, i32 %start) "target-cpu"="x86-64" {
top:
  br label %loop
loop:
  %i = phi i64 [ 0, %top ], [ %next, %loop ]
  %h = phi i32 [ %start, %top ], [ %new, %loop ]
  %at = getelementptr i32, ptr %p, i64 %i
  %x = load i32, ptr %at
  %m = mul i32 %h, 33
  %new = xor i32 %m, %x
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret i32 %new
}
IR
seen=
count() {
  instructions=$(opt -passes="$1" ${3:+"$3"} "$2" -S | grep -c '^  ')
  echo "$1 ${3:-}: $instructions instructions"
  seen="$seen $instructions"
}
opt --print-all-options -passes='default<Oz>' calls.ll -disable-output 2>&1 |
  grep -E '^ +--(inline-threshold .*= 225 |partial-unrolling-threshold .*= 0 )' | tee printed
[ "$(wc -l < printed)" = 2 ]
count 'default<Oz>' calls.ll
count 'default<Oz>' calls.ll -inline-threshold=225
count 'default<O2>' loop.ll
count 'default<O2>' loop.ll -partial-unrolling-threshold=0
[ "$seen" = ' 36 94 52 12' ]
