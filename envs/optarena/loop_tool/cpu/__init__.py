"""loop_tool on the CPU: a nest becomes LLVM IR, native code, checked output and a time.

``lowering`` writes IR; ``compiling`` alone knows llvmlite; ``backend`` is what the rest of the package sees.
Nothing here starts a thread or compiles at import.
"""
