"""What a session type offers: its compiler and its spaces, without a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optarena.service.client.connection import ManagedConnection
from optarena.service.client.launch import Offer
from optarena.service.client.zygote import Zygote
from optarena.service.proto import compiler_gym_service_pb2 as pb

if TYPE_CHECKING:
    from optarena.isolation.limits import ProcessLimits


def offer_of(session_type: str, *, limits: ProcessLimits | None = None, sandbox: bool = False) -> Offer:
    """The version of the compiler, and the spaces.

    A session type of this package need not be ready to start sessions: its zygote tells them before. Other
    code runs only in the processes of sessions, and so does what shows whether there is a sandbox.

    Args:
        session_type: ``module:class`` or ``/path.py:class``.
        limits: The limits of a session's process.
        sandbox: Whether sessions will be confined.

    Raises:
        UnknownName, PlatformNotSupported, SandboxUnavailable, ServiceError: See these classes.
    """
    offer = None if sandbox else Zygote.shared(session_type).offer
    if offer is not None:
        return offer
    with ManagedConnection.open(session_type, limits=limits, sandbox=sandbox) as connection:
        version = connection.get_version(pb.GetVersionRequest())
        spaces = connection.get_spaces(pb.GetSpacesRequest())
    return Offer(version.compiler_version, spaces.SerializeToString())
