#!/usr/bin/env bash
# Numba's cache gives back code of another optimisation level.
#
# Version: numba 0.68.1, llvmlite 0.50.0.
# Guess:   what @njit(cache=True) keeps is found again only under the same compiler settings, as under the same
#          NUMBA_CPU_NAME.
# Seen:    NUMBA_OPT and NUMBA_LOOP_VECTORIZE are not in the key: code of NUMBA_OPT=0 is a hit for NUMBA_OPT=3, and a
#          comparison of levels measures the first one again and again. Give each setting a NUMBA_CACHE_DIR of its own.
set -euo pipefail
unset "${!NUMBA_@}"
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet numba==0.68.1 llvmlite==0.50.0 numpy==2.4.6
cd "$here"

cat > total.py <<'PYTHON'
import numba, numpy

@numba.njit(cache=True)
def total(values):
    s = 0
    for value in values:
        s += value ^ 3
    return s

total(numpy.arange(10))
print("hit" if sum(total.stats.cache_hits.values()) else "compiled")
PYTHON
run() { env "$@" venv/bin/python total.py; }
seen=
for setting in NUMBA_OPT=0 NUMBA_OPT=3 NUMBA_LOOP_VECTORIZE=0 NUMBA_CPU_NAME=generic; do
  shared=$(run NUMBA_CACHE_DIR=shared "$setting")
  for cache in first second; do
    run NUMBA_CACHE_DIR="$setting-$cache" "$setting" >/dev/null
    cat "$setting-$cache"/*/*.nbc | sha256sum | cut -c 1-8 >> codes
  done
  echo "$setting: $shared with a shared cache; in caches of its own, code" $(tail -n 2 codes)
  seen="$seen $shared"
done
[ "$seen" = ' compiled hit hit compiled' ] && [ "$(uniq codes | wc -l)" -eq 4 ] && [ "$(sort -u codes | wc -l)" -eq 4 ]
