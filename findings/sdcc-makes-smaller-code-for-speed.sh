#!/usr/bin/env bash
# SDCC's option for speed makes smaller code than its option for size.
#
# Version: SDCC 4.2.0 (Debian 12) for mcs51.
# Guess:   of the same program --opt-code-size makes no more machine code than --opt-code-speed.
# Seen:    a function that chooses among 8, 12 or 16 cases has 95, 119 and 143 bytes for size, as without any option, and 81, 111 and
#          135 for speed; with 4 or 30 cases all three are alike. So the least of all levels, and what an
#          agent is compared with, is not the one that its name says.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
apt-get download --quiet=2 sdcc=4.2.0+dfsg-1 sdcc-libraries=4.2.0+dfsg-1
for package in *.deb; do dpkg-deb --extract "$package" .; done
export PATH=$here/usr/bin:$PATH

seen=
for cases in 4 8 12 16 30; do
  {
    echo 'int chosen(int number) { switch (number) {'
    for ((one = 0; one < cases; one++)); do echo "case $one: return $((one * one * 37 % 1009 + 300));"; done
    echo 'default: return -1; } }'
  } > chosen.c
  sizes=
  for option in --std-c99 --opt-code-size --opt-code-speed; do
    sdcc -mmcs51 -c "$option" chosen.c -o chosen.rel
    sizes="$sizes $((16#$(awk '$1 == "A" && $2 == "CSEG" { print $4 }' chosen.rel)))"
  done
  echo "$cases cases: as usual, for size and for speed$sizes bytes"
  seen="$seen$sizes;"
done
[ "$seen" = ' 56 56 56; 95 95 81; 119 119 111; 143 143 135; 227 227 227;' ]
