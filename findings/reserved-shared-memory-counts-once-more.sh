#!/usr/bin/env bash
# cuobjdump finds 1,024 bytes of shared memory more in a kernel than ptxas says it uses.
#
# Versions: nvcc 13.0.88 (nvidia-cuda-nvcc), cuobjdump 13.4.92 (nvidia-cuda-cuobjdump).
# Guess:   `cuobjdump -res-usage` reads what `ptxas -v` prints, registers and shared memory alike, for each architecture.
# Seen:    from sm_90 on it adds the 1,024 bytes that the system reserves for each block, if the kernel has shared memory at
#          all; for sm_80, where they are reserved as well, it does not. A formula of the occupancy that adds the reserve counts
#          it twice for the one kernel, and a feature of a kernel jumps between architectures.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 \
  nvidia-cuda-runtime==13.0.96 nvidia-cuda-cuobjdump==13.4.92
cd "$here"
nvcc=$(find venv -path '*/bin/nvcc')
cuobjdump=$(find venv -path '*/bin/cuobjdump')

cat > turn.cu <<'CUDA'
extern "C" __global__ void turn(float *a) {
  __shared__ float tile[512];
  tile[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = tile[511 - threadIdx.x];
}
extern "C" __global__ void none(float *a) { a[threadIdx.x] *= 2; }
CUDA
seen=
for architecture in sm_80 sm_90 sm_100; do
  by_ptxas=$("$nvcc" "-arch=$architecture" -cubin -Xptxas=-v turn.cu -o turn.cubin 2>&1 | grep -oP '[0-9]+(?= bytes smem)')
  by_cuobjdump=$("$cuobjdump" -res-usage turn.cubin | grep -oP 'SHARED:\K[0-9]+' | sort -n | paste -sd ' ')
  echo "$architecture: ptxas says $by_ptxas bytes of shared memory; cuobjdump says $by_cuobjdump of both kernels"
  seen="$seen, $by_ptxas $by_cuobjdump"
done
[ "$seen" = ', 2048 0 2048, 2048 0 3072, 2048 0 3072' ]
