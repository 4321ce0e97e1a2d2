"""The options of a connection to a service: times, retries, and the arguments for starting a service."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, cast

from optarena.errors import InvalidInput
from optarena.limits import MAX_MESSAGE_BYTES
from optarena.service import timeouts

TOKEN_VARIABLE: Final = "OPTARENA_SERVICE_TOKEN"  # noqa: S105 # the name of a variable
_LARGEST_INTEGER: Final = 2**31 - 1
_MAY_BE_ZERO: Final = frozenset({"retry_wait_seconds", "local_service_exit_max_seconds"})
_LEAST: Final = {"rpc_max_retries": 0, "init_max_attempts": 1, "max_message_bytes": 1}
_STRING_FIELDS: Final = ("script_args", "script_env", "token")


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionOptions:
    """Options of a connection over gRPC; all times are in seconds.

    Attributes:
        rpc_call_max_seconds: Default time for one call.
        rpc_max_retries: Attempts of a call while the service is unavailable.
        retry_wait_seconds: Wait before the second attempt.
        retry_wait_backoff_exponent: Factor by which each further wait is longer.
        init_max_seconds: Time for all attempts to reach a service.
        init_max_attempts: Attempts to start a service, or to reach one.
        rpc_init_max_seconds: Time of one attempt to reach a service.
        local_service_port_init_max_seconds: Time for a started service to write its port.
        local_service_exit_max_seconds: Time for a started service to end after a request, before it is
            killed.
        touch_seconds: A session that is held and had no call for this time gets one that changes nothing:
            services end sessions that nobody calls, after an hour unless they are told another time.
        always_send_benchmark_on_reset: Whether each session's start carries the program, rather than only
            if the service may not know the benchmark.
        script_args: Further arguments for a started service.
        script_env: Further environment variables for a started service.
        token: Bearer token; if empty, ``$OPTARENA_SERVICE_TOKEN`` for a running service, and a new token for
            a started service, which finds it in that variable.
        max_message_bytes: Size of the largest message sent or received.

    Raises:
        InvalidInput: A value has the wrong type, or is out of range; the error names the field.
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
    touch_seconds: float = 600.0
    always_send_benchmark_on_reset: bool = False
    script_args: tuple[str, ...] = ()
    script_env: Mapping[str, str] = field(default_factory=dict, hash=False)
    token: str = field(default="", repr=False)
    max_message_bytes: int = MAX_MESSAGE_BYTES

    def __post_init__(self) -> None:
        """Check every field, so that a mistake is reported here and not by a later call."""
        for name in self.__slots__:
            value: object = getattr(self, name)
            if name.endswith("_seconds"):
                _check_seconds(name, value)
            elif name in _LEAST:
                _check_integer(name, value)
        factor: object = self.retry_wait_backoff_exponent
        if not _is_number(factor) or not 0 <= cast("float", factor) <= _LARGEST_INTEGER:
            raise _wrong("retry_wait_backoff_exponent", factor, "a number of at least 0")
        if not isinstance(self.always_send_benchmark_on_reset, bool):
            raise _wrong(
                "always_send_benchmark_on_reset", self.always_send_benchmark_on_reset, "True or False"
            )
        for name in _STRING_FIELDS:
            _check_strings(name, getattr(self, name))


def _check_seconds(name: str, value: object) -> None:
    least = 0.0 if name in _MAY_BE_ZERO else math.ulp(0.0)
    if not _is_number(value) or not least <= cast("float", value) <= timeouts.LONGEST_SECONDS:
        what = "of at least 0" if name in _MAY_BE_ZERO else "above 0"
        raise _wrong(name, value, f"a number of seconds {what} and at most {timeouts.LONGEST_SECONDS:.0f}")


def _check_integer(name: str, value: object) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not _LEAST[name] <= value <= _LARGEST_INTEGER:
        raise _wrong(name, value, f"an integer from {_LEAST[name]} to {_LARGEST_INTEGER}")


def _check_strings(name: str, value: object) -> None:
    if name == "token":
        texts, what = [value], "a string without NUL"
    elif name == "script_args":
        texts = list(value) if isinstance(value, Sequence) and not isinstance(value, (str, bytes)) else [None]
        what = "a tuple of strings without NUL"
    else:
        texts = [each for pair in value.items() for each in pair] if isinstance(value, Mapping) else [None]
        what = "a mapping of names, without '=', to strings, without NUL"
        if isinstance(value, Mapping) and any(not key or "=" in str(key) for key in value):
            texts = [None]
    if not all(isinstance(text, str) and "\0" not in text for text in texts):
        shown = "…" if name == "token" else value
        raise _wrong(name, shown, what)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _wrong(name: str, value: object, what: str) -> InvalidInput:
    return InvalidInput(f"{name} is {value!r:.200}.", field=name, value=value, remedy=f"Give {what}.")
