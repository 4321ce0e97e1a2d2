"""Channels to services over gRPC: endpoints, the options of a channel, and checks of who listens.

This is the only module of the client's side that imports grpc; modules that a session's process imports must
not import it.
"""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Self
from urllib.parse import quote

os.environ.setdefault("GRPC_VERBOSITY", "ERROR")  # read at import; this package reports lost connections

import grpc

from optarena.documents.texts import printable
from optarena.errors import InvalidInput
from optarena.service.client.options import TOKEN_VARIABLE
from optarena.service.client.target import ServiceTarget, TargetKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from optarena.service.client.options import ConnectionOptions

CallFailed: Final = grpc.RpcError
"""The exception that grpc raises; see :class:`Status`."""
_UNIX: Final = "unix:"
_METADATA_BYTES: Final = 512 * 1024
_RECONNECT_MS: Final = 100
_LONGEST_RECONNECT_MS: Final = 1000
_PROBE_SECONDS: Final = 2.0
_LONGEST_MESSAGE: Final = 8_000
_LONGEST_METADATA: Final = 200
"""Characters read of a value in a status's metadata: our own services send names and numbers."""


def checked_endpoint(endpoint: str) -> str:
    """The endpoint in its canonical spelling.

    Raises:
        InvalidInput: The endpoint is neither ``host:port`` nor ``unix:/path``.
    """
    target = ServiceTarget.parse(endpoint)
    if target.kind is not TargetKind.ENDPOINT:
        raise InvalidInput(
            f"The endpoint {endpoint[:200]!r} is not valid.",
            field="endpoint",
            value=endpoint,
            remedy="Give 'host:port' or 'unix:/path'.",
        )
    return target.name


def open_channel(endpoint: str, options: ConnectionOptions) -> Any:  # noqa: ANN401 # grpc ships no types
    """A new, unshared channel to an endpoint; it connects at its first use."""
    settings = [
        ("grpc.max_send_message_length", -1),  # checked before it is sent, as by every transport
        ("grpc.max_receive_message_length", options.max_message_bytes),
        ("grpc.max_metadata_size", _METADATA_BYTES),
        ("grpc.absolute_max_metadata_size", 2 * _METADATA_BYTES),
        ("grpc.use_local_subchannel_pool", 1),
        ("grpc.service_config_disable_resolution", 1),  # name servers must not configure retries
        ("grpc.initial_reconnect_backoff_ms", _RECONNECT_MS),
        ("grpc.max_reconnect_backoff_ms", _LONGEST_RECONNECT_MS),
    ]
    if _is_local(endpoint):
        settings.append(("grpc.enable_http_proxy", 0))
    return grpc.insecure_channel(_grpc_target(endpoint), options=settings)


def token_for(options: ConnectionOptions) -> str:
    """The token for a running service; empty if none was given."""
    return options.token or os.environ.get(TOKEN_VARIABLE, "")


def call_metadata(token: str) -> tuple[tuple[str, str], ...] | None:
    """The metadata of each call: the token, if there is one.

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
    """The status of a failed call.

    Attributes:
        code: The status code, a number.
        message: The service's message, or grpc's; shortened, and without control characters.
        metadata: The trailing metadata.
    """

    code: int
    message: str
    metadata: Mapping[str, str]

    @classmethod
    def of(cls, error: Any) -> Self:  # noqa: ANN401 # grpc ships no types
        """The status in grpc's error; a foreign service may have sent anything."""
        code = error.code()
        number: int = (code if isinstance(code, grpc.StatusCode) else grpc.StatusCode.UNKNOWN).value[0]
        message = _shown(str(error.details() or f"status {number} without a message"))
        return cls(number, message, dict(_texts(error.trailing_metadata() or ())))


def who_listens(endpoint: str) -> str:
    """Why an endpoint cannot be reached; empty if a process accepts connections there."""
    try:
        if endpoint.startswith(_UNIX):
            with socket.socket(socket.AF_UNIX) as sock:
                sock.settimeout(_PROBE_SECONDS)
                sock.connect(endpoint.removeprefix(_UNIX))
        else:
            host, _, port = endpoint.rpartition(":")
            socket.create_connection((host.strip("[]"), int(port)), _PROBE_SECONDS).close()
    except UnicodeError:  # of the codec for host names
        return "the host name is not valid"
    except socket.gaierror as error:
        return f"the host is unknown ({error.strerror})"
    except OSError as error:
        return f"no process listens there ({error.strerror or error})"
    return ""


def _texts(metadata: Iterable[Any]) -> Iterable[tuple[str, str]]:
    for key, value in metadata:
        if isinstance(key, str) and isinstance(value, str) and len(value) <= _LONGEST_METADATA:
            yield key, value


def _shown(message: str) -> str:
    """A service's message without control characters, which a terminal would execute."""
    kept = message[:_LONGEST_MESSAGE]
    return printable(kept, keep="\n\t") + ("…" if len(message) > len(kept) else "")


def _grpc_target(endpoint: str) -> str:
    if endpoint.startswith(_UNIX):
        return _UNIX + quote(endpoint.removeprefix(_UNIX))
    return f"dns:///{endpoint}"


def _is_local(endpoint: str) -> bool:
    host = endpoint.rpartition(":")[0].strip("[]")
    return endpoint.startswith(_UNIX) or host in {"localhost", "::1"} or host.startswith("127.")
