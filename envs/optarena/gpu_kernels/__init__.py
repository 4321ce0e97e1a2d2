"""GPU kernels: CUDA C as NVPTX IR, LLVM's passes, ptxas, and the features of what they make.

Everything but running time works without a GPU. ``engine`` drives the LLVM of llvmlite, ``ptxas`` NVIDIA's
assembler as a library, ``cubin`` reads what it makes, ``emulation`` executes optimised kernels on the CPU.
Session processes load these modules, so none of them imports numpy, gymnasium or grpc; ``references``,
``build_dataset`` and ``jobs`` are the exceptions.
"""
