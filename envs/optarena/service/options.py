"""How a connection to a service is made and kept: times, retries, and what a service is started with."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from optarena.limits import MAX_MESSAGE_BYTES

if TYPE_CHECKING:
    from collections.abc import Mapping

TOKEN_VARIABLE: Final = "OPTARENA_SERVICE_TOKEN"  # noqa: S105 # the name of a variable


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionOptions:
    """Options of a connection over gRPC; all times are in seconds.

    Attributes:
        rpc_call_max_seconds: Time of one call for which none is given.
        rpc_max_retries: Attempts of a call while the service is unavailable.
        retry_wait_seconds: Wait before the second attempt.
        retry_wait_backoff_exponent: Factor by which each further wait is longer.
        init_max_seconds: Time for all attempts to reach a service.
        init_max_attempts: Attempts to start a service, or to reach one.
        rpc_init_max_seconds: Time of one attempt to reach it.
        local_service_port_init_max_seconds: Time for a started service to write its port.
        local_service_exit_max_seconds: Time for a started service to end when asked, before it is killed.
        always_send_benchmark_on_reset: Whether each session's start carries the program, rather than only
            one whose benchmark the service may not know.
        script_args: Further arguments for a service that is started.
        script_env: Further environment variables for it.
        token: Bearer token; if empty, ``$OPTARENA_SERVICE_TOKEN`` for a service that runs, and a new one for
            a service that is started, which finds it in that variable.
        max_message_bytes: Size of the largest message sent or received.
    """

    rpc_call_max_seconds: float = 60.0
    rpc_max_retries: int = 5
    retry_wait_seconds: float = 0.1
    retry_wait_backoff_exponent: float = 1.5
    init_max_seconds: float = 30.0
    init_max_attempts: int = 5
    rpc_init_max_seconds: float = 3.0
    local_service_port_init_max_seconds: float = 30.0
    local_service_exit_max_seconds: float = 30.0
    always_send_benchmark_on_reset: bool = False
    script_args: tuple[str, ...] = ()
    script_env: Mapping[str, str] = field(default_factory=dict, hash=False)
    token: str = field(default="", repr=False)
    max_message_bytes: int = MAX_MESSAGE_BYTES
