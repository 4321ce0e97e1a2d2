"""Channels to services over gRPC: where an endpoint is, what a channel to it is made with, who listens there.

The one module of the client's side that imports grpc; nothing that a session's process imports may import
it.
"""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Self
from urllib.parse import quote

os.environ.setdefault("GRPC_VERBOSITY", "ERROR")  # read when it is imported; lost connections are told here

import grpc

from optarena.documents.texts import printable
from optarena.errors import InvalidInput
from optarena.service.client.options import TOKEN_VARIABLE
from optarena.service.client.target import ServiceTarget, TargetKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from optarena.service.client.options import ConnectionOptions

CallFailed: Final = grpc.RpcError
"""What grpc raises; see :class:`Status`."""
_UNIX: Final = "unix:"
_METADATA_BYTES: Final = 512 * 1024
_RECONNECT_MS: Final = 100
_LONGEST_RECONNECT_MS: Final = 1000
_PROBE_SECONDS: Final = 2.0
_LONGEST_MESSAGE: Final = 8_000
_LONGEST_METADATA: Final = 200
"""Of a value in a status's metadata that is looked at: names and numbers, if it comes from us."""


def checked_endpoint(endpoint: str) -> str:
    """The endpoint in its one spelling.

    Raises:
        InvalidInput: It is neither ``host:port`` nor ``unix:/path``.
    """
    target = ServiceTarget.parse(endpoint)
    if target.kind is not TargetKind.ENDPOINT:
        raise InvalidInput(
            f"The endpoint {endpoint[:200]!r} cannot be understood.",
            field="endpoint",
            value=endpoint,
            remedy="Give 'host:port' or 'unix:/path'.",
        )
    return target.name


def open_channel(endpoint: str, options: ConnectionOptions) -> Any:  # noqa: ANN401 # grpc ships no types
    """A channel of one's own to an endpoint; it connects when it is first used."""
    settings = [
        ("grpc.max_send_message_length", -1),  # checked before it is sent, as by every transport
        ("grpc.max_receive_message_length", options.max_message_bytes),
        ("grpc.max_metadata_size", _METADATA_BYTES),
        ("grpc.absolute_max_metadata_size", 2 * _METADATA_BYTES),
        ("grpc.use_local_subchannel_pool", 1),
        ("grpc.service_config_disable_resolution", 1),  # name servers may not order calls to be repeated
        ("grpc.initial_reconnect_backoff_ms", _RECONNECT_MS),
        ("grpc.max_reconnect_backoff_ms", _LONGEST_RECONNECT_MS),
    ]
    if _is_local(endpoint):
        settings.append(("grpc.enable_http_proxy", 0))
    return grpc.insecure_channel(_grpc_target(endpoint), options=settings)


def token_for(options: ConnectionOptions) -> str:
    """The token of a service that runs; empty if none was given."""
    return options.token or os.environ.get(TOKEN_VARIABLE, "")


def call_metadata(token: str) -> tuple[tuple[str, str], ...] | None:
    """What each call carries beside its message: the token, if there is one.

    Raises:
        InvalidInput: The token cannot be sent.
    """
    if not token:
        return None
    if not (token.isascii() and token.isprintable()):
        raise InvalidInput(
            "The token of the service has characters that cannot be sent.",
            field="token",
            remedy=f"Use printable ASCII in ConnectionOptions(token=…) and ${TOKEN_VARIABLE}.",
        )
    return (("authorization", f"Bearer {token}"),)


@dataclass(frozen=True, slots=True)
class Status:
    """How a call has failed.

    Attributes:
        code: The status code, a number.
        message: The service's words, or grpc's; shortened, and without control characters.
        metadata: What came beside it.
    """

    code: int
    message: str
    metadata: Mapping[str, str]

    @classmethod
    def of(cls, error: Any) -> Self:  # noqa: ANN401 # grpc ships no types
        """Of grpc's error; a foreign service may have sent anything."""
        code = error.code()
        number: int = (code if isinstance(code, grpc.StatusCode) else grpc.StatusCode.UNKNOWN).value[0]
        message = _shown(str(error.details() or f"status {number} without a message"))
        return cls(number, message, dict(_texts(error.trailing_metadata() or ())))


def who_listens(endpoint: str) -> str:
    """Why nobody can be reached at an endpoint; empty if something accepts connections there."""
    try:
        if endpoint.startswith(_UNIX):
            with socket.socket(socket.AF_UNIX) as sock:
                sock.settimeout(_PROBE_SECONDS)
                sock.connect(endpoint.removeprefix(_UNIX))
        else:
            host, _, port = endpoint.rpartition(":")
            socket.create_connection((host.strip("[]"), int(port)), _PROBE_SECONDS).close()
    except UnicodeError:  # of the codec for host names
        return "the host has no name that can be looked up"
    except socket.gaierror as error:
        return f"the host is unknown ({error.strerror})"
    except OSError as error:
        return f"nobody listens there ({error.strerror or error})"
    return ""


def _texts(metadata: Iterable[Any]) -> Iterable[tuple[str, str]]:
    for key, value in metadata:
        if isinstance(key, str) and isinstance(value, str) and len(value) <= _LONGEST_METADATA:
            yield key, value


def _shown(message: str) -> str:
    """A service's words, in which a terminal finds no orders."""
    kept = message[:_LONGEST_MESSAGE]
    return printable(kept, keep="\n\t") + ("…" if len(message) > len(kept) else "")


def _grpc_target(endpoint: str) -> str:
    if endpoint.startswith(_UNIX):
        return _UNIX + quote(endpoint.removeprefix(_UNIX))
    return f"dns:///{endpoint}"


def _is_local(endpoint: str) -> bool:
    host = endpoint.rpartition(":")[0].strip("[]")
    return endpoint.startswith(_UNIX) or host in {"localhost", "::1"} or host.startswith("127.")
