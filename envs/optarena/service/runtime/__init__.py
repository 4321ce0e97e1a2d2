"""Runs a compiler as a service for gRPC clients: the servers, their options, and sockets.

A compiler's script imports this package before its arguments are known, so importing it loads neither grpc
nor numpy; modules that need them are imported at the first call.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from optarena.service.session import CompilationSession

__all__ = ["create_and_run_compiler_gym_service"]


def create_and_run_compiler_gym_service(compilation_session_type: type[CompilationSession]) -> NoReturn:
    """Run a service of this compiler until the process is asked to end; reads the command line's arguments.

    Call it in a script, below ``if __name__ == "__main__":``.

    Raises:
        SystemExit: Always raised: with 0 after SIGTERM or SIGINT, with 2 if the service cannot be run.
    """
    from optarena.service.runtime import create_and_run  # noqa: PLC0415 # brings grpc

    create_and_run.create_and_run_compiler_gym_service(compilation_session_type)
