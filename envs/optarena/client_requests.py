"""Requests to one server over HTTP: repeated where that is safe, to that server only, errors typed."""

from __future__ import annotations

import os
import time
from json import dumps
from typing import TYPE_CHECKING, Any, Final, Self

import httpx

from optarena.client_answers import (
    TRANSIENT,
    ApiProblem,
    ClientError,
    Json,
    NoAnswer,
    ServerUnreachable,
    checked,
    json_object,
    retry_after,
    rows_of_pages,
    whole,
)
from optarena.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import TracebackType

API: Final = "/api/v1/"
DEFAULT_URL: Final = "http://127.0.0.1:8000"
URL_VARIABLE: Final = "OPTARENA_URL"
TOKEN_VARIABLE: Final = "OPTARENA_TOKEN"  # noqa: S105 - a variable's name
RETRIES: Final = 3
MAX_PAUSE_SECONDS: Final = 30
"""A server that asks for a longer pause before the next attempt is not asked again."""
_FIRST_PAUSE_SECONDS: Final = 0.3
_DIRECTLY: Final[dict[str, None]] = dict.fromkeys(("all://localhost", "all://127.0.0.1", "all://[::1]"))
"""Servers of this machine, which a proxy of the network does not reach, whatever ``$http_proxy`` says."""


class ServerConnection:
    """Sends requests to one server, and follows the links in its answers on the same server only.

    Args:
        url: The server; ``$OPTARENA_URL`` or the local demo's address if None.
        token: The API token; ``$OPTARENA_TOKEN`` if None. Empty for none.
        timeout: Seconds to wait for an answer.
        transport: Another way to reach the server than the network; for tests.
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        timeout: float = 30.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self.url = server_url(url)
        self.token = os.environ.get(TOKEN_VARIABLE, "") if token is None else token
        if not self.token.isascii() or not self.token.isprintable():
            raise InvalidInput(
                "The token is not plain text.", field="token", remedy="Copy it again from /accounts/tokens/."
            )
        self._http = httpx.Client(base_url=self.url, timeout=timeout, transport=transport, mounts=_DIRECTLY)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def _get(self, path: str) -> Json:
        return json_object(self._request("GET", self._own(path)))

    def _post(
        self,
        path: str,
        *,
        json: Mapping[str, Any] | None,
        headers: Mapping[str, str] | None = None,
        login: bool = True,
    ) -> Json:
        # A request without a key may have succeeded although no answer came: it is not repeated.
        retries = RETRIES if headers is not None else 0
        response = self._request(
            "POST", self._own(path), json=json, headers=headers, retries=retries, login=login
        )
        return json_object(response)

    def _pages(self, path: str) -> Iterator[Json]:
        return rows_of_pages(self._get, path)

    def _own(self, address: str) -> str:
        """The path of an address on this server.

        Raises:
            ServerUnreachable: It is not an address, or leads elsewhere, where the token must not go.
        """
        if not address.startswith(("http://", "https://")):
            return address if address.startswith("/") else API + address
        try:
            target, home = httpx.URL(address), self._http.base_url
        except httpx.InvalidURL as error:
            message = f"The server's answer leads to {address[:200]!r}, which is not an address."
            raise ServerUnreachable(message) from error
        if target.netloc != home.netloc:
            raise ServerUnreachable(f"The server's answer leads to another server, {address[:200]}.")
        return target.raw_path.decode("ascii")

    def _request(  # noqa: PLR0913 - the parts of a request
        self,
        method: str,
        path: str,
        *,
        json: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        retries: int = RETRIES,
        login: bool = True,
    ) -> httpx.Response:
        sent, content = {"Accept": "application/json", **(headers or {})}, None
        if json is not None:
            sent["Content-Type"], content = "application/json", _written(json)
        if self.token and login:
            sent["Authorization"] = f"Bearer {self.token}"

        def send() -> httpx.Response:
            with self._http.stream(method, path, content=content, headers=sent) as response:
                return whole(response)

        return self._repeated(send, retries)

    def _repeated(self, send: Callable[[], httpx.Response], retries: int) -> httpx.Response:
        for attempt in range(retries + 1):
            last = attempt == retries
            pause = _FIRST_PAUSE_SECONDS * 2**attempt
            try:
                response = send()
            except httpx.InvalidURL as error:  # from the server: addresses of this client are checked before
                raise ServerUnreachable(
                    f"The server's answer leads to an invalid address: {error}."
                ) from error
            except httpx.HTTPError as error:
                if last:
                    raise self._unreachable(error) from error
            else:
                asked = retry_after(response) or 0
                if last or asked > MAX_PAUSE_SECONDS or not _is_transient(response):
                    return checked(response)
                pause = max(pause, asked)
            time.sleep(pause)
        raise AssertionError("the last attempt returns or raises")

    def _unreachable(self, error: Exception) -> ServerUnreachable:
        is_untrusted = "certificate" in str(error).lower()  # which waiting does not change
        kind = NoAnswer if isinstance(error, httpx.TransportError) and not is_untrusted else ServerUnreachable
        return kind(
            f"The server {self.url} does not answer ({error or type(error).__name__}). "
            f"Check the address (--url or ${URL_VARIABLE}) and that the server runs."
        )


def _written(document: Mapping[str, Any]) -> bytes:
    """A document as JSON.

    Raises:
        InvalidInput: It has what JSON has not, such as a number that is not finite.
    """
    try:
        return dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(
            f"The document cannot be written as JSON: {error}.",
            field="document",
            value=repr(document)[:200],
            remedy="Give finite numbers, texts, lists and mappings.",
        ) from error


def _is_transient(response: httpx.Response) -> bool:
    """Whether to ask again without a word; not for a quota, since whoever waits for it should know."""
    return response.status_code in TRANSIENT and "#quota-exceeded" not in response.text


def is_outage(error: ClientError) -> bool:
    """Whether a request failed for a reason that passes by itself, such as a restart of the server."""
    refusal = isinstance(error, ApiProblem) and error.status in TRANSIENT
    return refusal or isinstance(error, NoAnswer)


def server_url(url: str | None) -> str:
    """The server to use: the given one, ``$OPTARENA_URL``, or the local demo's.

    Raises:
        InvalidInput: It is not a web address.
    """
    if url is not None and not isinstance(url, str):
        raise _no_address(repr(url))
    chosen = (url or os.environ.get(URL_VARIABLE) or DEFAULT_URL).strip().rstrip("/")
    try:
        parsed = httpx.URL(chosen)
    except httpx.InvalidURL as error:
        raise _no_address(chosen) from error
    if parsed.scheme not in {"http", "https"} or not parsed.host:
        raise _no_address(chosen)
    return chosen


def _no_address(url: str) -> InvalidInput:
    return InvalidInput(
        f"{url[:200]!r} is not the address of a server.",
        field="url",
        value=url,
        remedy=f"Give --url or ${URL_VARIABLE} as http://host:port or https://host.",
    )
