"""loop_tool on the CPU: a nest becomes LLVM IR, native code, checked output and a time.

``lowering`` writes IR, and ``driver`` reads that of ``native/driver.c``; neither knows LLVM. ``compiling`` is
the only user of llvmlite; ``workers`` runs native code on pinned threads; ``backend`` is what the rest of the
package sees. Nothing here starts a thread or compiles at import.
"""
