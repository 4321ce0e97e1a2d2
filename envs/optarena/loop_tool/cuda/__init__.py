"""loop_tool on CUDA: a nest becomes a kernel, machine code, checked output and a time.

``lowering`` writes CUDA C without a device, and ``backend`` is the interface for the rest of the package.
Nothing here touches a device at import.
"""
