#!/usr/bin/env bash
# NVRTC takes --restrict and does nothing with it.
#
# Version: nvidia-cuda-nvrtc and nvidia-cuda-nvcc 13.0.88.
# Guess:   the option, which says that no two pointers of a kernel overlap, does the same in both compilers: a value that was
#          read once is not read again after a store to another array.
# Seen:    nvcc -restrict leaves one load less. NVRTC gives the same PTX with and without the option, and no warning; only
#          __restrict__ in the source works in both.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 nvidia-cuda-crt==13.0.88 \
  nvidia-cuda-runtime==13.0.96 nvidia-cuda-nvrtc==13.0.88
cd "$here"

echo 'extern "C" __global__ void f(float *a, float *b) { a[0] = b[0] + 1; b[1] = b[0]; }' > plain.cu
sed 's/float \*/float *__restrict__ /g' plain.cu > marked.cu
cat > nvrtc.py <<'PYTHON'
import ctypes, sys

nvrtc = ctypes.CDLL("libnvrtc.so.13")
text = open(sys.argv[1], "rb").read()
options = [b"--gpu-architecture=compute_90", *map(str.encode, sys.argv[2:])]
program, size = ctypes.c_void_p(), ctypes.c_size_t()
assert not nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, b"f.cu", 0, None, None)
assert not nvrtc.nvrtcCompileProgram(program, len(options), (ctypes.c_char_p * len(options))(*options))
nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
assert size.value == 1  # no warning
nvrtc.nvrtcGetPTXSize(program, ctypes.byref(size))
ptx = ctypes.create_string_buffer(size.value)
nvrtc.nvrtcGetPTX(program, ptx)
print(ptx.value.decode())
PYTHON
nvcc=$(find venv -path '*/bin/nvcc')
export LD_LIBRARY_PATH
LD_LIBRARY_PATH=$(dirname "$(find venv -name libnvrtc.so.13)")
loads() { grep -c 'ld\.global' "$1"; }
seen=
for options in 'plain.cu' 'plain.cu --restrict' 'marked.cu'; do
  "$nvcc" -arch=compute_90 -ptx $options -o by-nvcc.ptx
  venv/bin/python nvrtc.py $options > by-nvrtc.ptx
  echo "$options: $(loads by-nvcc.ptx) loads by nvcc, $(loads by-nvrtc.ptx) by NVRTC"
  seen="$seen $(loads by-nvcc.ptx)$(loads by-nvrtc.ptx)"
done
[ "$seen" = ' 22 12 11' ]
