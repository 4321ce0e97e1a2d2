"""The LLVM room: the engine on libLLVM, the action tables, the session type and the program runner.

Modules here are loaded by the session processes, so none may import numpy, gymnasium or grpc;
``actions`` is pure data and works on every platform. ``env`` (the gymnasium side) is the one exception.
"""
