"""loop_tool on CUDA: a nest becomes a kernel, machine code, checked output and a time.

``lowering`` writes CUDA C and knows no device; ``device`` is the only user of cupy, and says what is missing
where there is no GPU; ``timing`` decides how often and after what a launch is timed; ``clocks`` asks NVML,
where it is there, and ``lock`` keeps readings of several processes apart; ``backend`` is what the rest of the
package sees. Nothing here touches a device at import.
"""
