"""CUDA devices, for every compiler that measures on them.

``device`` is the only user of cupy, and ``missing`` reports what a machine without a usable GPU lacks;
``kernels`` has the source of a few kernels that need no compiler of ours; ``timing`` decides how often and
under which conditions a launch is timed, ``caches`` makes caches cold, and ``clocks`` reads NVML. Nothing
here touches a device at import.
"""
