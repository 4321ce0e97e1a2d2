#!/usr/bin/env bash
# LLVM reads nine elements of an input by ld.global.nc, and the tenth by a plain load.
#
# Version: LLVM 22.1.0 (llvmlite 0.50.0), nvcc 13.0.88 (nvidia-cuda-nvcc).
# Guess:   a pointer that the kernel steps through an array, noalias and readonly, is read through the read-only cache at each
#          step, as by nvcc; and noalias is enough where nothing is stored.
# Seen:    nine steps are; LLVM follows no longer chain of getelementptr back to the parameter. So unrolled loops lose the cache
#          that their first rounds have. nvcc uses it for all twelve. And without the attribute readonly, which a pass of
#          its own infers, LLVM uses it for none.
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet llvmlite==0.50.0 nvidia-cuda-nvcc==13.0.88 nvidia-nvvm==13.0.88 \
  nvidia-cuda-crt==13.0.88 nvidia-cuda-runtime==13.0.96
cd "$here"

cat > steps.cu <<'CUDA'
extern "C" __global__ void steps(const float *__restrict__ a, float *__restrict__ b, long n) {
#pragma unroll
  for (int i = 0; i < 12; i++) b[i] = *(a += n);
}
CUDA
"$(find venv -path '*/bin/nvcc')" -arch=compute_90 -ptx steps.cu -o nvcc.ptx
venv/bin/python - <<'PYTHON'
from pathlib import Path

import llvmlite.binding as llvm

llvm.initialize_all_targets()
llvm.initialize_all_asmprinters()
machine = llvm.Target.from_triple("nvptx64-nvidia-cuda").create_target_machine(cpu="sm_90", opt=3)
steps = "".join(
    f"""  %p{i + 1} = getelementptr float, ptr %p{i}, i64 %n
  %v{i} = load float, ptr %p{i + 1}
  %q{i} = getelementptr float, ptr %b, i64 {i}
  store float %v{i}, ptr %q{i}
"""
    for i in range(12)
)
for name, attributes in (("llvm", "noalias readonly"), ("noalias", "noalias")):
    text = f"""target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @steps(ptr {attributes} %p0, ptr noalias %b, i64 %n) {{
{steps}  ret void
}}
"""
    Path(f"{name}.ptx").write_text(machine.emit_assembly(llvm.parse_assembly(text)))
PYTHON
seen=
for name in nvcc llvm noalias; do
  cached=$(grep -c 'ld\.global\.nc' $name.ptx || true)
  echo "$name: $cached of $(grep -c 'ld\.global' $name.ptx) loads by ld.global.nc"
  seen="$seen $cached"
done
[ "$seen" = ' 12 9 0' ]
