#!/usr/bin/env bash
# gcc -O2 compiles a function otherwise if its name is main: calls stay, and its code is not in the section .text.
#
# Version: gcc 12.2.0 for x86-64 (Debian 12).
# Guess:   the same lines are the same machine code, whatever the function is called, so a kernel may be measured inside main.
# Seen:    main is taken for what runs once, as a function with the attribute constructor is: three calls stay in main, and none
#          in work, 309 bytes against 195 with the function that is called. At -O1 all have 201 bytes and three calls, and at
#          -Os 180. At -O2 and -Os main goes into a section of its own, .text.startup, so of what -Os seems to save in .text
#          since -O1, 201 - 43 bytes, 137 have only moved. Measure functions of other names.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
apt-get download --quiet=2 gcc-12=12.2.0-14+deb12u1 cpp-12=12.2.0-14+deb12u1 libgcc-12-dev=12.2.0-14+deb12u1 \
  binutils-x86-64-linux-gnu=2.40-2 libbinutils=2.40-2 libctf-nobfd0=2.40-2 libctf0=2.40-2 libgprofng0=2.40-2 \
  libisl23 libmpc3 libmpfr6 libgmp10 libjansson4
for package in *.deb; do dpkg-deb --extract "$package" .; done
export LD_LIBRARY_PATH=$here/usr/lib/x86_64-linux-gnu PATH=$here/usr/bin:$PATH

cat > body.c <<'C'
int mix(int x) {
  x ^= x << 13; x ^= x >> 17; x *= 0x9e3779b1; x ^= x << 5; x *= 77; x ^= x >> 3;
  return x ^ 0x55aa;
}
ONCE int NAME(int n, char **words) {
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
  for name in work main once; do
    # What runs once, before main.
    once=$([ "$name" != once ] || echo '-DONCE=__attribute__((constructor))')
    x86_64-linux-gnu-gcc-12 "-$level" "-DNAME=$name" "${once:--DONCE=}" -c body.c -o "$name.o"
    sizes=$(x86_64-linux-gnu-size --format=sysv "$name.o" | awk '$1 == ".text" { text = $2 } $1 == ".text.startup" { startup = $2 }
      END { print text, startup + 0 }')
    calls=$(x86_64-linux-gnu-objdump --disassemble "$name.o" | grep -c 'call ' || true)
    echo "-$level $name: .text and .text.startup have $sizes bytes; $calls calls"
    seen="$seen / $sizes $calls"
  done
done
[ "$seen" = ' / 201 0 3 / 201 0 3 / 201 0 3 / 309 0 0 / 43 152 3 / 43 152 3 / 180 0 3 / 43 137 3 / 43 137 3' ]
