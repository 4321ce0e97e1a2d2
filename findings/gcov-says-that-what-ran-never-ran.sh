#!/usr/bin/env bash
# gcov says that a function which ran a hundred times never ran, from -O2 on.
#
# Version: gcc and gcov 12.2.0 (Debian 12).
# Guess:   counters are placed before the program is optimised, as by clang -fcoverage-mapping, so the counts of functions and
#          lines are those of -O0, but for lines that were merged.
# Seen:    some functions are inlined before counters are placed. A function in the same file then has 0 calls, and its
#          lines outside the loop 0 rounds, as if no test reached them. At -Os the same function has 100. So lists of hot
#          functions, and of dead ones, depend on the level that was counted at. -fno-early-inlining counts as -O0 does.
set -euo pipefail
[ "$(gcc -dumpfullversion)" = 12.2.0 ] || { echo "gcc 12.2.0 is needed" >&2; exit 2; }
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"

cat > work.c <<'C'
#include <stdio.h>
int work(int x) {
  int r = 0;
  for (int i = 0; i < 10; i++)
    if (i % x == 0) r += i * i;
  return r;
}
int main(void) {
  int s = 0;
  for (int i = 1; i <= 100; i++) s += work(i);
  printf("%d\n", s);
}
C
counts() {
  rm -f work.gc*
  gcc "$@" --coverage -c work.c -o work.o
  gcc --coverage work.o -o work
  ./work > said
  gcov --json-format --stdout work.c > found.json
  found=$(python3 -c "
import json
file = json.load(open('found.json'))['files'][0]
lines = {line['line_number']: line['count'] for line in file['lines']}
print(*(one['execution_count'] for one in file['functions'] if one['name'] == 'work'), lines[5], lines[6])")
  echo "gcc $*: calls of work(), and rounds of its lines 5 and 6: $found"
}
for options in -O0 -Os '-O2 -fno-early-inlining'; do
  counts $options
  [ "$found" = '100 1000 100' ]
done
for level in -O2 -O3; do
  counts $level
  [ "$found" = '0 1000 0' ]
done
