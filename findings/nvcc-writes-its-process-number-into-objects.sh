#!/usr/bin/env bash
# Two calls of nvcc -c give two objects, with -frandom-seed, too.
#
# Version: nvcc 13.0.88 (nvidia-cuda-nvcc); g++ of the system.
# Guess:   the same call gives the same object, as it gives the same PTX and cubin; and if not, -frandom-seed=1 does, which
#          nvcc's help describes as the option for identical PTX and object files.
# Seen:    nvcc's process number is in the name of a temporary file, and that name in the object's table of symbols. So a hash
#          of the object tells that an option changed something where nothing did. --keep, which gives the temporary files
#          names of their own, makes both objects the same, and so does `strip --strip-debug`.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-cuda-runtime==13.0.96 \
  nvidia-cuda-nvcc==13.0.88
cd "$here"
bin=$(dirname "$(find venv -name ptxas -type f)")

echo 'extern "C" __global__ void twice(float *x) { x[threadIdx.x] *= 2; }' > twice.cu
call() { # twice, with the options given
  for file in one two; do "$bin/nvcc" -arch=sm_90 "$@" twice.cu -o "$file"; done
  if cmp --silent one two; then echo "nvcc $*: the same"; return 0; fi
  echo "nvcc $*: $(cmp -l one two | wc -l) bytes differ, $(strings one | grep tmpxft) and $(strings two | grep tmpxft)"
  return 1
}
call -ptx
call -cubin
if call -c; then exit 1; fi
if call -frandom-seed=1 -c; then exit 1; fi
strip --strip-debug one two
cmp one two
call --keep -c
