#!/usr/bin/env bash
# gcc -O2 compiles a function otherwise if its name is main: calls stay, and its code is not in the section .text.
#
# Version: gcc 12.2.0 (Debian 12).
# Guess:   the same lines are the same machine code, whatever the function is called, so a kernel may be measured inside main.
# Seen:    gcc knows that main runs once, and keeps what is outside its loops small: three calls stay in main, and none in work,
#          309 bytes against 195 with the function that is called. At -O1 both names have 201 bytes and three calls, and at
#          -Os 180. At -O2 and -Os main goes into a section of its own, .text.startup, so of what -Os seems to save in .text
#          since -O1, 201 - 43 bytes, 137 have only moved. Measure functions of other names.
set -euo pipefail
[ "$(gcc -dumpfullversion)" = '12.2.0' ] || { echo "gcc 12.2.0 is needed" >&2; exit 2; }
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"

cat > body.c <<'C'
int mix(int x) {
  x ^= x << 13; x ^= x >> 17; x *= 0x9e3779b1; x ^= x << 5; x *= 77; x ^= x >> 3;
  return x ^ 0x55aa;
}
int NAME(int n, char **words) {
  long a[8], sum = 0;
  int h = mix(n);
  if (h & 1) h = mix(h + 3);
  h ^= mix(h * 5);
  double d = 1 / ((double)n * n + 3);
  for (int i = 0; i < 8; i++) a[i] = (long)h * i;
  for (int i = 0; i < 8; i++) sum += a[(i * h) & 7];
  return h + (int)(sum * d);
}
C
seen=
for level in O1 O2 Os; do
  for name in work main; do
    gcc "-$level" "-DNAME=$name" -c body.c -o "$name.o"
    sizes=$(size --format=sysv "$name.o" | awk '$1 == ".text" { text = $2 } $1 == ".text.startup" { startup = $2 }
      END { print text, startup + 0 }')
    calls=$(objdump --disassemble "$name.o" | grep -c 'call ' || true)
    echo "-$level $name: .text and .text.startup have $sizes bytes; $calls calls"
    seen="$seen / $sizes $calls"
  done
done
[ "$seen" = ' / 201 0 3 / 201 0 3 / 309 0 0 / 43 152 3 / 180 0 3 / 43 137 3' ]
