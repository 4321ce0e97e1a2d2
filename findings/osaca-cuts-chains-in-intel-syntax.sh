#!/usr/bin/env bash
# OSACA gives the same instructions fewer cycles in Intel syntax than in that of AT&T.
#
# Version: osaca 0.7.1, for Skylake-X.
# Guess:   the syntax is a way to write a loop, and its estimates are those of the instructions.
# Seen:    in Intel syntax `xor eax, edx` does not wait for eax, as if it set a register to zero: the chain through a product
#          and an xor has 3 cycles a round instead of 4, and nothing says so. sub and add do wait. So loops of hashes
#          and checksums look faster when the compiler wrote them with -masm=intel.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet osaca==0.7.1
cd "$here"

seen=
for name in xor sub add; do
  printf '.L1:\n\timull $33, %%eax, %%eax\n\t%sl %%edx, %%eax\n\taddq $1, %%rdi\n\tcmpq %%rsi, %%rdi\n\tjne .L1\n' $name > ATT.s
  printf '.L1:\n\timul eax, eax, 33\n\t%s eax, edx\n\tadd rdi, 1\n\tcmp rdi, rsi\n\tjne .L1\n' $name > INTEL.s
  for syntax in ATT INTEL; do
    venv/bin/osaca --arch SKX --syntax $syntax $syntax.s > report
    if grep -E '\| +X ' report; then exit 1; fi # each instruction is known
    cycles=$(awk '/^ +[0-9. ]+$/ { last = $NF } END { print last }' report)
    echo "$name, $syntax: $cycles cycles in the chain from round to round"
    seen="$seen $cycles"
  done
done
[ "$seen" = ' 4.0 3.0 4.0 4.0 4.0 4.0' ]
