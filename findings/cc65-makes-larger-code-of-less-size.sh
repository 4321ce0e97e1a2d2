#!/usr/bin/env bash
# cc65 makes larger code when it is asked for half the size.
#
# Version: cc65 2.19 (Debian 12).
# Guess:   --codesize says how large an optimisation may make the code, so 50 gives no more of it than 100, which is the default;
#          and -Os is the level for size.
# Seen:    three functions have 590 bytes without -O, 424 at -O and --codesize 100, 509 at --codesize 50, and 535 at --codesize 200.
#          -Os, which allows strlen() and its like in place, changes nothing here. A search for small code that takes
#          --codesize for a scale begins at the wrong end.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
apt-get download --quiet=2 cc65=2.19-1
dpkg-deb --extract cc65_*.deb .
export PATH=$here/usr/bin:$PATH CC65_INC=$here/usr/share/cc65/include CA65_INC=$here/usr/share/cc65/asminc

cat > functions.c <<'C'
int fibonacci(int n) {
  int a = 0, b = 1, next;
  while (n--) { next = a + b; a = b; b = next; }
  return a;
}
unsigned char checksum(const unsigned char *bytes, unsigned number) {
  unsigned char sum = 0, i;
  while (number--) {
    sum ^= *bytes++;
    for (i = 0; i < 8; ++i) sum = sum & 0x80 ? sum << 1 ^ 7 : sum << 1;
  }
  return sum;
}
void sort(int *numbers, int number) {
  int i, j, moved;
  for (i = 1; i < number; i++) {
    moved = numbers[i];
    for (j = i - 1; j >= 0 && numbers[j] > moved; j--) numbers[j + 1] = numbers[j];
    numbers[j + 1] = moved;
  }
}
C
seen=
for options in --standard=c89 -O -Os '-O --codesize 50' '-O --codesize 100' '-O --codesize 200'; do
  # shellcheck disable=SC2086 # several options
  cc65 ${options/=/ } functions.c -o functions.s
  ca65 functions.s -o functions.o
  size=$(od65 --dump-segsize functions.o | awk '$1 == "CODE:" { print $2 }')
  echo "$options: $size bytes"
  seen="$seen $size"
done
[ "$seen" = ' 590 424 424 509 424 535' ]
