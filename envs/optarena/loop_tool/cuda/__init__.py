"""loop_tool on CUDA: a nest becomes a kernel, machine code, checked output and a time.

``lowering`` writes CUDA C and knows no device, and ``kernels`` has that of a few kernels beside; ``device``
is the only user of cupy, and ``missing`` says what is missing where there is no GPU; ``timing`` decides how
often and after what a launch is timed, ``caches`` makes caches cold, and ``clocks`` asks NVML if it can;
``backend`` is what the rest of the package sees. Nothing here touches a device at import.
"""
