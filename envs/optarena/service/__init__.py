"""The service runtime: how an environment talks to the process that holds its compiler.

Lives here: the messages (``proto``), the base class of compilers (``session``), the service that answers
the messages (``server``), its benchmark cache, and the process model: a *zygote* for each session type,
from which each session's own process is forked, spoken to over a private socket pair (``connection``).

Modules that run in the zygote or in a session's process (everything but ``connection``, ``converters`` and
``zygote``) import nothing heavier than protobuf: no numpy, no gymnasium, no grpc. So does this module.
"""

from optarena.service.session import CompilationSession

__all__ = ["CompilationSession"]
