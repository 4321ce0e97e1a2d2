"""GPU kernels: CUDA C as NVPTX IR, LLVM's passes, ptxas, and the features of what they make.

Everything but running time works without a GPU. Session processes load these modules, so none but
``references``, ``build_dataset`` and ``device_main`` imports numpy, gymnasium or grpc.
"""
