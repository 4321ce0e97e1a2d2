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
call() { # twice, with the options given, and note the number of the process that nvcc becomes
  for file in one two; do
    bash -c 'printf %08x $$ > "$0.number"; exec "$@"' "$file" "$bin/nvcc" -arch=sm_90 "$@" twice.cu -o "$file"
  done
}
same() {
  cmp one two
  echo "$1: the same"
}
differ() { # in these numbers alone
  if cmp --silent one two; then exit 1; fi
  for file in one two; do
    number=$(cat "$file.number")
    echo "$1, process $number: $(strings "$file" | grep "tmpxft_${number}_")"
    LC_ALL=C sed "s/tmpxft_${number}_/tmpxft_________/g" "$file" > "$file.rest"
  done
  cmp one.rest two.rest
}
call -ptx
same -ptx
call -cubin
same -cubin
call -c
differ -c
call -frandom-seed=1 -c
differ '-frandom-seed=1 -c'
strip --strip-debug one two
same 'after strip --strip-debug'
call --keep -c
same '--keep -c'
