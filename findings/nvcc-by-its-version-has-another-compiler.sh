#!/usr/bin/env bash
# The wheel of nvcc of one version installs the compiler of another, and both together compile nothing.
#
# Version: nvidia-cuda-nvcc 13.0.88 with nvidia-nvvm and nvidia-cuda-crt 13.0.88 and nvidia-cuda-runtime 13.0.96, and with
#          13.5.37 of these three; g++ of the system.
# Guess:   `pip install nvidia-cuda-nvcc==13.0.88` is nvcc 13.0, as a toolkit of that version has it.
# Seen:    nvcc starts cicc, which is in nvidia-nvvm, and the wheel asks for any version of that. That of 13.5, the
#          newest when this was written, writes PTX that ptxas 13.0 does not read. With all four packages of 13.0 it works.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
cd "$here"
echo '__global__ void twice(float *a) { a[threadIdx.x] *= 2.0f; }' > twice.cu

compile() {
    venv/bin/pip install --quiet nvidia-cuda-nvcc==13.0.88 "$@"
    venv/bin/pip check
    "$(find venv -path '*/bin/nvcc')" -arch=sm_90 -cubin twice.cu -o twice.cubin 2>&1 && echo 'compiled' || true
}
venv/bin/pip install --quiet --no-deps nvidia-cuda-nvcc==13.0.88
grep '^Requires-Dist' venv/lib/python3*/site-packages/nvidia_cuda_nvcc-*/METADATA | tee required
grep -qx 'Requires-Dist: nvidia-nvvm' required # in any version
newer=$(compile nvidia-nvvm==13.5.37 nvidia-cuda-crt==13.5.37 nvidia-cuda-runtime==13.5.37)
echo "with 13.5: $newer"
same=$(compile nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 nvidia-cuda-runtime==13.0.96)
echo "with 13.0: $same"
[[ $newer == *"No broken requirements"*"Unsupported .version 9.5; current version is '9.0'"* && $same == *compiled ]]
