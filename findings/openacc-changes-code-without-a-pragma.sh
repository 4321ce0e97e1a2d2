#!/usr/bin/env bash
# gcc -fopenacc makes other code of a program that has no pragma.
#
# Version: gcc 12.2.0 (Debian 12).
# Guess:   the option makes gcc read `#pragma acc`, so a file without one has the same code, as with -fopenmp; and -fipa-pta,
#          which no level has, is on only where it is named.
# Seen:    -fopenacc turns -fipa-pta on: the code is that of `-O2 -fipa-pta`, byte for byte, and one function no longer loads
#          what it has stored. A comparison of builds with and without OpenACC also compares two analyses of pointers.
#          -fno-ipa-pta beside it gives the code of -O2.
set -euo pipefail
[ "$(gcc -dumpfullversion)" = 12.2.0 ] || { echo "gcc 12.2.0 is needed" >&2; exit 2; }
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"

cat > cells.c <<'C'
static int x[100], y[100];
__attribute__((noinline)) static int store(int *a, int *b) {
  *a = 1;
  *b = 2;
  return *a;
}
int first(int i, int j) { return store(&x[i], &y[j]); }
int *cells(int which) { return which ? x : y; }
C
code() {
  gcc -O2 "$@" -c cells.c -o cells.o
  objcopy --only-section=.text -O binary cells.o cells.bin
  objdump -d --no-show-raw-insn cells.o | sed -n '/<store>:/,/ret/p' | grep -c '(%rdi)' > touched
  found=$(md5sum < cells.bin)
  echo "-O2 $*: $(stat --format=%s cells.bin) bytes of code, ${found::8}, *a is touched $(cat touched) times"
}
code
plain=$found
[ "$(cat touched)" = 2 ]
code -fopenmp
[ "$found" = "$plain" ]
code -fopenacc
openacc=$found
[ "$openacc" != "$plain" ]
[ "$(cat touched)" = 1 ]
code -fipa-pta
[ "$found" = "$openacc" ]
code -fopenacc -fno-ipa-pta
[ "$found" = "$plain" ]
