"""The service runtime: how an environment talks to the process that holds its compiler.

Its packages, from the lowest: ``proto`` has the messages, ``session`` the base class of compilers,
``processes`` tools for processes of the operating system, ``protocol`` the meaning of the messages,
``converters`` the conversion to gymnasium's spaces and Python's values, ``session_process`` the code of a
zygote and of a session's process, ``client`` one interface for three kinds of connection (to processes forked
from a zygote, to a gRPC service, to the caller's own process), and ``runtime`` the servers for gRPC clients.

A session's process imports nothing heavier than protobuf: no numpy, no gymnasium, no grpc. The same holds for
this module.
"""

from optarena.service.session import CompilationSession

__all__ = ["CompilationSession"]
