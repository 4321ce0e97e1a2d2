#!/usr/bin/env bash
# LLVM counts a loop in the lower half of a 64-bit register, and ptxas then does not unroll it.
#
# Version: LLVM 22.1.0 (llvmlite 0.50.0), ptxas 13.0.88 (nvidia-cuda-nvcc), nvdisasm 13.5.37.
# Guess:   a loop of 16 rounds whose counter has 32 bits in the IR is unrolled by ptxas at -O3, whichever register counts.
# Seen:    LLVM's loop strength reduction keeps the 64-bit offset of the address alone, and tests its lower 32 bits. ptxas
#          unrolls the same loop if all 64 bits are tested, but not so. At -O3 it leaves a product of matrices in a loop
#          that nvcc unrolls (docs/13-gpu-kernels.md).
set -euo pipefail
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
python3 -m venv "$here/venv"
"$here/venv/bin/pip" install --quiet llvmlite==0.50.0 nvidia-cuda-nvdisasm==13.5.37
"$here/venv/bin/pip" install --quiet --no-deps nvidia-cuda-nvcc==13.0.88
cd "$here"

cat > squares.ll <<'LLVM'
target triple = "nvptx64-nvidia-cuda"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
define ptx_kernel void @squares(ptr %a) {
entry:
  br label %again
again:
  %i = phi i32 [ 0, %entry ], [ %next, %again ]
  %sum = phi float [ 0.0, %entry ], [ %more, %again ]
  %wide = zext nneg i32 %i to i64
  %place = getelementptr inbounds [64 x float], ptr %a, i64 %wide
  %value = load float, ptr %place
  %more = call float @llvm.fma.f32(float %value, float %value, float %sum)
  %next = add nuw nsw i32 %i, 1
  %goes_on = icmp ne i32 %next, 16
  br i1 %goes_on, label %again, label %done
done:
  store float %more, ptr %a
  ret void
}
LLVM
venv/bin/python - <<'PYTHON'
from pathlib import Path

import llvmlite.binding as llvm

llvm.initialize_all_targets()
llvm.initialize_all_asmprinters()
machine = llvm.Target.from_triple("nvptx64-nvidia-cuda").create_target_machine(cpu="sm_90", opt=3)
Path("lower-half.ptx").write_text(machine.emit_assembly(llvm.parse_assembly(Path("squares.ll").read_text())))
PYTHON
sed -E 's/setp.ne.b32 (.*)%r[0-9]+, 4096/setp.ne.b64 \1%rd4, 4096/; s/cvt.u32.u64 .*//' lower-half.ptx > whole.ptx
grep -E 'add.s64|cvt.u32|setp' lower-half.ptx
ptxas=$(find venv -path '*/bin/ptxas')
nvdisasm=$(find venv -path '*/bin/nvdisasm')
seen=
for counter in lower-half whole; do
  "$ptxas" -arch=sm_90 -O3 $counter.ptx -o $counter.cubin
  count=$("$nvdisasm" -c $counter.cubin | grep -c FFMA)
  echo "$counter: $count multiply-adds"
  seen="$seen $count"
done
[ "$seen" = ' 1 16' ]
