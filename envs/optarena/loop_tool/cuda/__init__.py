"""loop_tool on CUDA: a nest becomes a kernel, machine code, checked output and a time.

``lowering`` writes CUDA C without a device, and ``kernels`` has the source of a few further kernels;
``device`` is the only user of cupy, and ``missing`` reports what a machine without a usable GPU lacks;
``timing`` decides how often and under which conditions a launch is timed, ``caches`` makes caches cold, and
``clocks`` reads NVML; ``backend`` is the interface for the rest of the package. Nothing here touches a device
at import.
"""
