"""The service runtime: how an environment talks to the process that holds its compiler.

Lives here: the messages (``proto``), the base class of compilers (``session``), the service that answers
the messages (``runtime``), and the client's side, one interface over three carriers (``interface``):

* ``connection``: a process for each session, forked from a *zygote* for each session type, spoken to over a
  private socket pair;
* ``grpc_connection``: many sessions of a service over gRPC, be it one that runs or an ``executable`` that
  was started;
* ``in_process``: none at all.

Modules that run in the zygote or in a session's process (everything but ``connection``, ``converters``,
``zygote`` and those named for gRPC) import nothing heavier than protobuf: no numpy, no gymnasium, no grpc.
So does this module.
"""

from optarena.service.session import CompilationSession

__all__ = ["CompilationSession"]
