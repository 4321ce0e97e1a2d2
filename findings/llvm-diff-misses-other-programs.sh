#!/usr/bin/env bash
# llvm-diff finds no difference between programs that compute different things.
#
# Version: llvm-diff 22.1.8 (Debian 12).
# Guess:   exit code 0 means that both programs are the same but for names and order; a subtraction for an addition, or
#          another constant, is a difference in any place.
# Seen:    it prints nothing and ends with 0 if atomicrmw subtracts instead of adding, a global constant is 2 instead of 1,
#          an array has 400 bytes instead of 4, an address is computed in bytes instead of words, or nsw, volatile, fast,
#          minsize or an alignment is gone.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
apt-get download --quiet=2 llvm-22=1:22.1.8-1~deb12u1 libllvm22=1:22.1.8-1~deb12u1 \
  libbsd0 libedit2 libicu72 libmd0 libxml2 libz3-4
for package in *.deb; do dpkg-deb --extract "$package" .; done
export PATH=$here/usr/lib/llvm-22/bin:$PATH LD_LIBRARY_PATH=$here/usr/lib/x86_64-linux-gnu

cat > one.ll <<'IR'
@step = constant i32 1
define i32 @f(ptr %p, i32 %x) minsize {
  %room = alloca [4 x i8]
  %at = getelementptr i32, ptr %p, i32 %x
  %old = atomicrmw add ptr %at, i32 7 seq_cst
  %by = load volatile i32, ptr @step, align 4
  %sum = add nsw i32 %old, %by
  store i32 %sum, ptr %room
  %last = sub i32 %sum, %x
  ret i32 %last
}
define float @g(float %x) {
  %y = fmul fast float %x, %x
  ret float %y
}
IR
seen=
for change in 's/%last = sub/%last = add/' 's/atomicrmw add/atomicrmw sub/' 's/constant i32 1/constant i32 2/' 's/4 x i8/400 x i8/' \
  's/getelementptr i32/getelementptr i8/' 's/nsw //' 's/volatile //' 's/fast //' 's/minsize //' 's/align 4/align 1/'; do
  sed "$change" one.ll > two.ll
  if cmp --quiet one.ll two.ll; then exit 1; fi # the change is none
  said=$(llvm-diff one.ll two.ll 2>&1) && code=0 || code=$?
  echo "$change: exit code $code, ${#said} characters"
  seen="$seen$code"
done
[ "$seen" = 1000000000 ]
