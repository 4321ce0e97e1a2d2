#!/usr/bin/env bash
# ptxas makes other code for a limit of registers that limits nothing, even for one that it says it ignores.
#
# Version: ptxas 13.0.88 and nvcc of the same version (nvidia-cuda-nvcc).
# Guess:   the kernel uses 30 registers without an option, so -maxrregcount=64 and 255, the most there are, change nothing.
# Seen:    it gets 44 registers, with other instructions. So it does with 300, of which ptxas says "Too big maxrregcount
#          value specified 300, will be ignored". A limit is not only a limit: it moves the compiler's own aim.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 \
  nvidia-cuda-runtime==13.0.96
cd "$here"

cat > dot.cu <<'CUDA'
extern "C" __global__ void dot(float *a, float *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int j = 0; j < n; j++) s += a[i * n + j] * b[j];
  if (i < n) a[i] = s;
}
CUDA
"$(find venv -path '*/bin/nvcc')" -arch=sm_90 -ptx dot.cu -o dot.ptx
ptxas=$(find venv -path '*/bin/ptxas')
seen=
for option in '' -maxrregcount=64 -maxrregcount=255 -maxrregcount=300; do
  said=$("$ptxas" -arch=sm_90 -v $option dot.ptx -o dot.cubin 2>&1 | grep -oE 'Too big.*|Used [0-9]+ registers')
  echo "ptxas $option:" $said
  seen="$seen $(grep -oP 'Used \K[0-9]+' <<<"$said")"
done
[[ $said == *'300, will be ignored'* ]] && [ "$seen" = ' 30 44 44 44' ]
