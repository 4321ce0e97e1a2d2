#!/usr/bin/env bash
# nvcc -O0 and -Xptxas=-fmad=false change no instruction of a kernel, without a word.
#
# Version: nvcc 13.0.88 (nvidia-cuda-nvcc), nvdisasm 13.5.37.
# Guess:   -O0 leaves the kernel unoptimised, and ptxas, whose option -fmad decides about contraction, keeps a product and a
#          sum apart.
# Seen:    -O0 is for the host. And nvcc has made fused instructions before ptxas reads them; what ptxas contracts itself
#          are products and sums of PTX without .rn, of which nvcc writes none. nvcc's own -fmad=false works.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 \
  nvidia-cuda-runtime==13.0.96 nvidia-cuda-nvdisasm==13.5.37
cd "$here"
found=()
nvcc=$(find venv -path '*/bin/nvcc')
ptxas=$(find venv -path '*/bin/ptxas')
nvdisasm=$(find venv -path '*/bin/nvdisasm')

code() { "$nvdisasm" -c -hex "$1" | grep -E ';|/\* 0x'; }
show() { echo "$1: $(grep -c FFMA <<<"$2" || true) fused, $(grep -c FMUL <<<"$2" || true) products, code $(md5sum <<<"$2" | cut -c 1-8)"; }
cat > axpy.cu <<'CUDA'
extern "C" __global__ void axpy(float *x, float *y) { int i = threadIdx.x; y[i] = 3.0f * x[i] * x[i] + y[i]; }
CUDA
for options in '' -O0 -Xptxas=-fmad=false -fmad=false; do
  "$nvcc" -arch=sm_90 $options -cubin axpy.cu -o axpy.cubin
  found[${#found[@]}]=$(code axpy.cubin)
  show "nvcc $options" "${found[-1]}"
done
"$nvcc" -arch=sm_90 -fmad=false -ptx axpy.cu -o axpy.ptx
sed -i 's/mul\.rn\.f32/mul.f32/; s/add\.rn\.f32/add.f32/' axpy.ptx
for options in '' -fmad=false; do
  "$ptxas" -arch=sm_90 $options axpy.ptx -o axpy.cubin
  found[${#found[@]}]=$(code axpy.cubin)
  show "ptxas $options of PTX without .rn" "${found[-1]}"
done
[ "${found[0]}" = "${found[1]}" ] && [ "${found[0]}" = "${found[2]}" ] && [ "${found[0]}" != "${found[3]}" ] &&
  [ "${found[4]}" != "${found[5]}" ]
