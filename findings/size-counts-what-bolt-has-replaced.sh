#!/usr/bin/env bash
# size counts the code of a program twice once BOLT has written it.
#
# Versions: llvm-bolt 22.1.8 (Debian 12), gcc 12.2.0 and binutils 2.40 of the system.
# Guess:    what size calls text of BOLT's output is the code that runs, so it can be compared with that of the linker.
# Seen:     BOLT leaves the old code in the file, as .bolt.org.text with the flag of code, and writes another .text behind it:
#           1,231 bytes of code have become 1,261, and size says 5,653 instead of 2,880. The file is 4 MB large, since the
#           new code is aligned to 2 MB. Read .text alone.
set -euo pipefail
[ "$(gcc -dumpfullversion)" = 12.2.0 ] || { echo "gcc 12.2.0 is needed" >&2; exit 2; }
size --version | grep 'Binutils.* 2\.40$' > /dev/null || { echo "binutils 2.40 is needed" >&2; exit 2; }
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
apt-get download --quiet=2 bolt-22=1:22.1.8-1~deb12u1 libz3-4
for package in *.deb; do dpkg-deb --extract "$package" .; done
export LD_LIBRARY_PATH=$here/usr/lib/x86_64-linux-gnu

cat > parts.c <<'C'
#include <stdio.h>
#define PART(n) \
  __attribute__((noinline)) int part##n(int x) { \
    int sum = 0; \
    for (int i = 0; i < x; i++) { \
      if (i % (n + 3) == 1) sum += i * n; else sum ^= i; \
      printf("%d\n", sum); \
    } \
    return sum; \
  }
PART(1) PART(2) PART(3) PART(4) PART(5) PART(6) PART(7) PART(8)
int main(int argc, char **argv) {
  return (part1(argc) + part2(argc) + part3(argc) + part4(argc) + part5(argc) + part6(argc) + part7(argc) + part8(argc)) & 1;
}
C
gcc -O2 -Wl,--emit-relocs parts.c -o parts
usr/lib/llvm-22/bin/llvm-bolt parts -o bolted > said 2>&1 || { cat said; exit 1; }
./parts > before
./bolted > after
cmp before after

section() { size -A "$1" | awk -v name="$2" '$1 == name { print $2 }'; }
text() { size "$1" | awk 'NR == 2 { print $1 }'; }
for file in parts bolted; do
  echo "$file: size says $(text $file), .text has $(section $file .text) bytes, .bolt.org.text $(section $file .bolt.org.text)"
done
[ "$(section bolted .bolt.org.text)" = "$(section parts .text)" ]
[ "$(stat --format=%s bolted)" -gt 4000000 ]
[ $(($(section bolted .text) * 100)) -lt $(($(section parts .text) * 105)) ]
[ $(($(text bolted) * 100)) -gt $(($(text parts) * 180)) ]
