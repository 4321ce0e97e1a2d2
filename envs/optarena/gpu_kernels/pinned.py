"""What kernels are compiled for, and by what: the part of the environments' version besides their actions."""

from __future__ import annotations

from typing import Any, Final

TRIPLE: Final = "nvptx64-nvidia-cuda"
ARCHITECTURE: Final = "sm_90"  # the H100 and the H200; cubins run on devices of compute capability 9.x only
FEATURES: Final = "+ptx78"
OPTIMISATION: Final = 3  # the level of LLVM's NVPTX code generator
LLVM: Final = "22.1.0"
LLVMLITE: Final = "0.50"  # a patch of llvmlite brings the same LLVM
ENGINE: Final = f"LLVM {LLVM} of llvmlite {LLVMLITE}"
CUDA: Final = "13.0.88"  # of ptxas, and of nvcc, whose code of each kernel datasets have beside our own
DISTRIBUTION: Final = "nvidia-cuda-nvcc"  # has both
ASSEMBLER: Final = f"ptxas {CUDA}"
COMPILER: Final = f"{ENGINE}, {ASSEMBLER}, {ARCHITECTURE}"
# Which costs the passes ask for: those of the NVPTX target machine, not generic ones.
TARGET_INFORMATION: Final = "NVPTX"
# The check on the CPU; raise it when it finds more. 2: variables in the wrong kind of memory. 3: local
# variables that are not set, what is written outside a variable in shared memory, a warp at two barriers.
CHECK: Final = 3


def version_spec() -> dict[str, Any]:
    return {
        "engine": ENGINE,
        "assembler": ASSEMBLER,
        "triple": TRIPLE,
        "architecture": ARCHITECTURE,
        "features": FEATURES,
        "code_generator": OPTIMISATION,
        "target_information": TARGET_INFORMATION,
        "check": CHECK,
    }
