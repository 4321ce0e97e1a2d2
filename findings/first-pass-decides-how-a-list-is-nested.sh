#!/usr/bin/env bash
# A pass that does nothing changes what the passes after it do, and the same names in another order are refused.
#
# Version: opt 22.1.8 (Debian 12).
# Guess:   -passes=inline,instcombine runs the one over the program and then the other, so no-op-module before them
#          changes nothing, and instcombine,inline can be given as well.
# Seen:    the kind of the first name holds for the whole list. After inline the rest runs over a function before its
#          callers are looked at, and the calls are inlined. After no-op-module each name gets a walk over the program
#          of its own, and the calls stay. instcombine,inline is refused: unknown function pass 'inline'.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
apt-get download --quiet=2 llvm-22=1:22.1.8-1~deb12u1 libllvm22=1:22.1.8-1~deb12u1 \
  libbsd0 libedit2 libicu72 libmd0 libxml2 libz3-4
for package in *.deb; do dpkg-deb --extract "$package" .; done
export PATH=$here/usr/lib/llvm-22/bin:$PATH LD_LIBRARY_PATH=$here/usr/lib/x86_64-linux-gnu

{
  echo 'define i32 @mixed(i32 %x0) {'
  for i in {1..200}; do echo "  %x$i = xor i32 %x$((i - 1)), $i"; done
  printf '  ret i32 %%x200\n}\n'
  echo 'define i32 @f(i32 %x) { %y = call i32 @mixed(i32 %x) ret i32 %y }'
} > mixed.ll
combine='instcombine<no-verify-fixpoint>'
seen=
for passes in "inline,$combine" "no-op-module,inline,$combine" "cgscc(inline),function($combine)" "cgscc(inline,function($combine))"; do
  calls=$(opt -S -passes="$passes" mixed.ll | grep -c 'call i32' || true)
  echo "$passes: $calls calls"
  seen="$seen $calls"
done
refused=$(opt -passes="$combine,inline" -disable-output mixed.ll 2>&1) || true
echo "$combine,inline: $refused"
[ "$seen" = ' 0 1 1 0' ] && [ "$refused" = "opt: unknown function pass 'inline'" ]
