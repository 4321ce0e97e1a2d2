#!/usr/bin/env bash
# ptxas makes the same code with and without its expensive optimisations, and its -O2, -O3 and -O4 are one level.
#
# Version: ptxas 13.0.88 (nvidia-cuda-nvcc).
# Guess:   --allow-expensive-optimizations is what -O2 adds to -O1, as its help says; -O3 does more than -O2; there is no -O4.
# Seen:    at -O2 and -O3 the switch set to false, and at -O1 set to true, change no byte. -O2, -O3 and -O4 make the same
#          code, which differs from that of -O1. At -O1 and -O3 it was so for 15 more kernels made by nvcc.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet pyelftools==0.33 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 \
  nvidia-cuda-runtime==13.0.96 nvidia-cuda-nvcc==13.0.88
cd "$here"

cat > kernels.cu <<'CUDA'
extern "C" __global__ void shares(float *result, const float *given, int n) {
  __shared__ float part[256];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = t; i < n; i += 256) sum += expf(given[i]);
  part[t] = sum;
  __syncthreads();
  for (int w = 128; w; w >>= 1) {
    if (t < w) part[t] += part[t + w];
    __syncthreads();
  }
  for (int i = t; i < n; i += 256) result[i] = expf(given[i]) / part[0];
}
extern "C" __global__ void pulls(float4 *result, const float4 *given, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 p = given[i];
  float x = 0, y = 0;
  for (int j = 0; j < n; j++) {
    float4 q = given[j];
    float dx = q.x - p.x, dy = q.y - p.y, d = rsqrtf(dx * dx + dy * dy + 1e-6f);
    x += q.w * d * d * d * dx;
    y += q.w * d * d * d * dy;
  }
  result[i] = make_float4(x, y, 0, 0);
}
CUDA
bin=$(dirname "$(find venv -name ptxas -type f)")
"$bin/nvcc" -arch=sm_90 -ptx kernels.cu -o kernels.ptx

BIN="$bin" venv/bin/python - <<'PYTHON'
import hashlib, os, subprocess

from elftools.elf.elffile import ELFFile


def code(*options):
    ptxas = f"{os.environ['BIN']}/ptxas"
    subprocess.run([ptxas, "-arch=sm_90", *options, "kernels.ptx", "-o", "out.cubin"], check=True)
    with open("out.cubin", "rb") as file:
        texts = [one.data() for one in ELFFile(file).iter_sections() if one.name.startswith(".text.")]
    found = f"{sum(map(len, texts))} bytes, {hashlib.md5(b''.join(texts)).hexdigest()[:8]}"
    print(" ".join(options), found)
    return found


one, two, three, four = (code(f"-O{level}") for level in range(1, 5))
assert one != two == three == four
assert code("-O3", "--allow-expensive-optimizations=false") == three
assert code("-O2", "--allow-expensive-optimizations=false") == two
assert code("-O1", "--allow-expensive-optimizations=true") == one
PYTHON
