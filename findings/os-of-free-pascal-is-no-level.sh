#!/usr/bin/env bash
# Free Pascal's -Os alone makes larger code than -O1, and two thirds more than -O2.
#
# Version: Free Pascal 3.2.2 (Debian 12), pyelftools 0.33.
# Guess:   -Os is a level of its own that makes the smallest code, as that of GCC and clang.
# Seen:    -Os is a wish that leaves the level as it is, and no level is given: the sections of four functions have 608 bytes at
#          -O-, 560 at -Os, 496 at -O1, 336 at -O2 to -O4, and 304 at -O2 -Os in either order. A comparison with
#          "-Os" is one with nearly unoptimised code.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
apt-get download --quiet=2 fp-compiler-3.2.2=3.2.2+dfsg-20 fp-units-rtl-3.2.2=3.2.2+dfsg-20
for package in *.deb; do dpkg-deb --extract "$package" .; done
python3 -m venv venv
venv/bin/pip install --quiet pyelftools==0.33

cat > functions.pas <<'PASCAL'
unit functions;
interface
type numbers = array of longint;
procedure sort(var a: numbers);
function fibonacci(n: longint): int64;
function checksum(const bytes: array of byte): byte;
function product(const a, b: array of double): double;
implementation
procedure sort(var a: numbers);
var i, j, moved: longint;
begin
  for i := 1 to high(a) do begin
    moved := a[i];
    j := i - 1;
    while (j >= 0) and (a[j] > moved) do begin a[j + 1] := a[j]; dec(j); end;
    a[j + 1] := moved;
  end;
end;
function fibonacci(n: longint): int64;
begin
  if n < 2 then fibonacci := n else fibonacci := fibonacci(n - 1) + fibonacci(n - 2);
end;
function checksum(const bytes: array of byte): byte;
var i, k: longint; sum: byte;
begin
  sum := 0;
  for i := 0 to high(bytes) do begin
    sum := sum xor bytes[i];
    for k := 0 to 7 do if (sum and $80) <> 0 then sum := (sum shl 1) xor 7 else sum := sum shl 1;
  end;
  checksum := sum;
end;
function product(const a, b: array of double): double;
var i: longint; sum: double;
begin
  sum := 0;
  for i := 0 to high(a) do sum := sum + a[i] * b[i];
  product := sum;
end;
end.
PASCAL
cat > size.py <<'PYTHON'
from elftools.elf.elffile import ELFFile

with open("functions.o", "rb") as file:
    print(sum(one.data_size for one in ELFFile(file).iter_sections() if one.name.startswith(".text")))
PYTHON
seen=
for options in -O- -Os -O1 -O2 -O3 -O4 '-O2 -Os' '-Os -O2'; do
  # shellcheck disable=SC2086 # two options
  usr/bin/ppcx64-3.2.2 -n -v0 $options -Fuusr/lib/x86_64-linux-gnu/fpc/3.2.2/units/x86_64-linux/rtl functions.pas
  size=$(venv/bin/python size.py)
  echo "$options: $size bytes"
  seen="$seen $size"
done
[ "$seen" = ' 608 560 496 336 336 336 304 304' ]
