#!/usr/bin/env bash
# NVRTC's --maxrregcount=32 makes PTX that uses 90 registers, where it uses 56 without the option.
#
# Versions: nvidia-cuda-nvrtc and nvidia-cuda-nvcc 13.0.88, cuobjdump 13.4.92.
# Guess:    a limit of registers that is given to the compiler is written into the PTX, or is refused where PTX is asked for.
# Seen:     machine code of NVRTC has 32 registers. In PTX no line has the limit, though the code was made for it, and is
#           longer: ptxas makes 90 registers of it. nvcc -ptx does the same, and calls a limit of 32 "too big"; NVRTC says
#           nothing. So whoever gives PTX to the driver, which assembles without the limit, gets more registers for a lower
#           limit, and a tuner measures that. Give the limit to ptxas as well: 32 registers.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet nvidia-cuda-nvrtc==13.0.88 nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 \
  nvidia-cuda-crt==13.0.88 nvidia-cuda-runtime==13.0.88 nvidia-cuda-cuobjdump==13.4.92
cuda=$(dirname "$(dirname "$(find "$here/venv" -name ptxas -type f)")")
export PATH=$cuda/bin:$PATH LD_LIBRARY_PATH=$cuda/lib
cd "$here"

cat > mix.cu <<'CUDA'
extern "C" __global__ void mix(float *out, const float *a, const float *b, int n) {
  float kept[40];
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 0; j < 40; j++) kept[j] = a[at + j * n];
  for (int round = 0; round < n; round++)
    for (int j = 0; j < 40; j++) kept[j] = kept[j] * b[round] + kept[(j + 1) % 40];
  for (int j = 0; j < 40; j++) out[at + j * n] = kept[j];
}
CUDA
cat > compile.py <<'PYTHON'
import ctypes
import pathlib
import sys

output, kind, *options = sys.argv[1:]
nvrtc = ctypes.CDLL("libnvrtc.so.13")
program, size = ctypes.c_void_p(), ctypes.c_size_t()
source = pathlib.Path("mix.cu").read_bytes()
assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, b"mix.cu", 0, None, None) == 0
words = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
assert nvrtc.nvrtcCompileProgram(program, len(options), words) == 0
assert nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size)) == 0
assert size.value <= 1, "NVRTC has a log"
assert getattr(nvrtc, f"nvrtcGet{kind}Size")(program, ctypes.byref(size)) == 0
text = ctypes.create_string_buffer(size.value)
assert getattr(nvrtc, f"nvrtcGet{kind}")(program, text) == 0
pathlib.Path(output).write_bytes(text.raw.rstrip(b"\0") if kind == "PTX" else text.raw)
PYTHON
registers() { ptxas -arch=sm_90 -v "$@" -o ignored 2>&1 | sed -n 's/.*Used \([0-9]*\) registers.*/\1/p'; }
seen=
say() { echo "$1: $2 registers"; seen="$seen $2"; }
for limit in '' --maxrregcount=32; do
  venv/bin/python compile.py mix.cubin CUBIN -arch=sm_90 $limit
  say "machine code of NVRTC $limit" "$(cuobjdump -res-usage mix.cubin 2>&1 | sed -n 's/.*REG:\([0-9]*\).*/\1/p')"
  venv/bin/python compile.py "nvrtc$limit.ptx" PTX -arch=compute_90 $limit
  say "PTX of NVRTC $limit" "$(registers "nvrtc$limit.ptx")"
  nvcc -arch=compute_90 -ptx $limit mix.cu -o "nvcc$limit.ptx" 2> said
  say "PTX of nvcc $limit" "$(registers "nvcc$limit.ptx")"
done
say 'the same PTX, with ptxas -maxrregcount=32' "$(registers -maxrregcount=32 nvrtc--maxrregcount=32.ptx)"
grep 'Too big maxrregcount value specified 32, will be ignored' said
if grep -E '^\.(maxnreg|maxntid|minnctapersm|reqntid|pragma)' ./*.ptx; then exit 1; fi
wc -l nvrtc*.ptx
[ "$(wc -l < nvrtc--maxrregcount=32.ptx)" -gt "$(wc -l < nvrtc.ptx)" ]
[ "$seen" = ' 56 56 56 32 90 90 32' ]
