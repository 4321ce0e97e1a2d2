"""A client of the server's REST API over HTTP, independent of command line and environments.

A token travels to the server it was given for and nowhere else; links in answers are followed on the same
server only. Requests are repeated where that is safe.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from http import HTTPStatus
from json import dumps
from typing import IO, Any, Final, Self
from urllib.parse import quote, urlencode

import httpx

from optarena.client_answers import (
    TRANSIENT,
    ApiProblem,
    Boards,
    ClientError,
    DownloadDamaged,
    FieldProblem,
    Json,
    NoAnswer,
    ServerUnreachable,
    Standings,
    UnknownWithoutServer,
    json_object,
    raise_refusal,
    read_pieces,
    read_response,
    retry_after,
    rows_of_pages,
)
from optarena.errors import InvalidInput
from optarena.limits import MAX_PAGE_SIZE

__all__ = [
    "API", "DEFAULT_URL", "TOKEN_VARIABLE", "URL_VARIABLE", "ApiProblem", "Boards", "Client", "ClientError",
    "DownloadDamaged", "FieldProblem", "Json", "ServerUnreachable", "Standings", "UnknownWithoutServer",
    "automatic_key", "server_url",
]  # fmt: skip

API: Final = "/api/v1/"
DEFAULT_URL: Final = "http://127.0.0.1:8000"
URL_VARIABLE: Final = "OPTARENA_URL"
TOKEN_VARIABLE: Final = "OPTARENA_TOKEN"  # noqa: S105 - a variable's name
RETRIES: Final = 3
# A server that asks for a longer pause before the next attempt is not asked again.
MAX_PAUSE_SECONDS: Final = 30
_FIRST_PAUSE_SECONDS: Final = 0.3
# Servers of this machine, which a proxy of the network does not reach, whatever ``$http_proxy`` says.
_DIRECTLY: Final[dict[str, None]] = dict.fromkeys(("all://localhost", "all://127.0.0.1", "all://[::1]"))


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


def automatic_key(document: Mapping[str, Any], *, after: str = "") -> str:
    """The idempotency key of a submission's document: whoever repeats a request sends the same one.

    Args:
        document: What is submitted.
        after: The id of the submission with this document that was withdrawn, if one was.
    """
    text = dumps(document, sort_keys=True, separators=(",", ":")) + after
    return f"cli-{hashlib.sha256(text.encode()).hexdigest()}"


def _standings(board: str) -> str:
    return f"boards/{quote(board, safe='')}/standings/?page_size={MAX_PAGE_SIZE}"


POLL_SECONDS: Final = 1.0


_LAST_STATES: Final = {
    "submission": {"verified", "partial", "refuted", "failed", "withdrawn"},
    "portable entry": {"ended", "failed", "quarantined", "refused", "withdrawn"},
}


class Client:
    """One server, used by one user or anonymously.

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

    def __exit__(self, *_: object) -> None:
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
        own = self._own(path)
        return json_object(
            self._request("POST", own, json=json, headers=headers, retries=retries, login=login)
        )

    def _pages(self, path: str) -> Iterator[Json]:
        return rows_of_pages(self._get, path)

    def _own(self, address: str) -> str:
        # The token must not go elsewhere.
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
            sent["Content-Type"] = "application/json"
            try:
                content = dumps(json, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
            except (TypeError, ValueError, RecursionError) as error:
                message = f"The document cannot be written as JSON: {error}."
                remedy = "Give finite numbers, texts, lists and mappings."
                value = repr(json)[:200]
                raise InvalidInput(message, field="document", value=value, remedy=remedy) from error
        if self.token and login:
            sent["Authorization"] = f"Bearer {self.token}"

        def send() -> httpx.Response:
            with self._http.stream(method, path, content=content, headers=sent) as response:
                return read_response(response)

        return self._repeated(send, retries)

    def _repeated(self, send: Callable[[], httpx.Response], retries: int) -> httpx.Response:
        for attempt in range(retries + 1):
            last = attempt == retries
            pause = _FIRST_PAUSE_SECONDS * 2**attempt
            try:
                response = send()
            except httpx.InvalidURL as error:  # from the server: addresses of this client are checked before
                message = f"The server's answer leads to an invalid address: {error}."
                raise ServerUnreachable(message) from error
            except httpx.HTTPError as error:
                if last:
                    raise self._unreachable(error) from error
            else:
                asked = retry_after(response) or 0
                # For a quota not without a word: whoever waits for it should know.
                is_transient = response.status_code in TRANSIENT and "#quota-exceeded" not in response.text
                if last or asked > MAX_PAUSE_SECONDS or not is_transient:
                    return raise_refusal(response)
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

    def signup(self, username: str, password: str) -> Json:
        """Make an account; the answer holds its first token."""
        return self._post("auth/signup/", json={"username": username, "password": password}, login=False)

    def make_token(self, username: str, password: str) -> Json:
        """Make a new token."""
        return self._post("auth/token/", json={"username": username, "password": password}, login=False)

    def revoke_token(self) -> None:
        """Revoke the token of this client."""
        self._request("DELETE", self._own("auth/token/"))

    def me(self) -> Json:
        """The user to whom the token belongs."""
        return self._get("auth/me/")

    def datasets(self) -> Iterator[Json]:
        """All datasets."""
        return self._pages("datasets/")

    def dataset(self, name: str) -> Json:
        """One dataset."""
        return self._get(f"datasets/{quote(name, safe='')}/")

    def benchmarks(self, dataset: str) -> Iterator[Json]:
        """A dataset's benchmarks."""
        return self._pages(f"datasets/{quote(dataset, safe='')}/benchmarks/")

    def results(self, benchmark: str) -> Json:
        """The best verified result of a benchmark by its URI, with its records, for each board."""
        _, _, path = benchmark.partition("://")
        dataset, _, program = path.partition("/")
        return self._get(f"datasets/{quote(dataset, safe='')}/benchmarks/{quote(program)}/results/")

    def bitcode(self, benchmark: Mapping[str, Any]) -> bytes:
        """The program of a benchmark as listed, checked against its sha256.

        Raises:
            ServerUnreachable: The bytes do not match the sha256.
        """
        content = self._request("GET", self._own(str(benchmark.get("bitcode_url")))).content
        if hashlib.sha256(content).hexdigest() != benchmark.get("sha256"):
            raise ServerUnreachable(f"The program of {benchmark.get('uri')} arrived damaged. Try again.")
        return content

    def download(  # noqa: PLR0913 - all but two by keyword
        self,
        path: str,
        sink: IO[bytes],
        *,
        limit: int,
        headers: Mapping[str, str] | None = None,
        timeout: float | None = None,
        retries: int | None = None,
    ) -> str | None:
        """Save what is at a path of the API (``datasets/kernels-v0/archive/``) as a file, replacing it.

        Returns:
            Its ETag, empty if it has none; None if ``headers`` say that it need not be sent.

        Raises:
            DownloadDamaged: There are more than ``limit`` bytes.
            ClientError: The server refused or did not answer, within ``timeout`` seconds if given.
        """
        patience = self._http.timeout if timeout is None else httpx.Timeout(timeout)

        def send() -> httpx.Response:
            with self._http.stream("GET", API + path, headers=headers, timeout=patience) as response:
                if response.status_code != HTTPStatus.OK:
                    return read_response(response)
                sink.seek(0)
                sink.truncate()
                for piece in read_pieces(response):
                    if sink.tell() + len(piece) > limit:
                        message = f"{response.request.url} sends more than the expected {limit} bytes."
                        raise DownloadDamaged(message)
                    sink.write(piece)
                return response

        response = self._repeated(send, RETRIES if retries is None else retries)
        return None if response.status_code == HTTPStatus.NOT_MODIFIED else response.headers.get("ETag", "")

    def releases(self) -> Iterator[Json]:
        """The releases of step data, the newest first."""
        return self._pages("data/")

    def boards(self) -> Boards:
        """All boards; a notebook shows them as a table."""
        return Boards(self._pages("boards/"))

    def board(self, slug: str) -> Json:
        """One board."""
        return self._get(f"boards/{quote(slug, safe='')}/")

    def board_recipe(self, slug: str) -> bytes:
        """The recipe of a board's best sequences that everybody may read, as a document."""
        address = self._own(f"boards/{quote(slug, safe='')}/export/?format=recipe")
        return self._request("GET", address).content

    def standings(self, board: str, *, every_entry: bool = False) -> Standings:
        """The first page of a board's rows, with its references: the best of each owner, or every entry.

        A notebook shows it as a table.
        """
        further = "&all=true" if every_entry else ""
        return Standings(self._get(f"{_standings(board)}{further}"))

    def entries(self, board: str) -> Iterator[Json]:
        """Every entry of a board, oldest first."""
        return self._pages(f"{_standings(board)}&all=true&sort=created")

    def queue(self) -> Json:
        """The queue of replays, by hardware class."""
        return self._get("queue/")

    def submit(
        self,
        document: Mapping[str, Any],
        *,
        key: str,
        patience: float = 0.0,
        on_wait: Callable[[ApiProblem], None] = lambda _: None,
        on_repeat: Callable[[], None] = lambda: None,
    ) -> Json:
        """Submit a JSON document; repeating the call with the same key makes no second submission.

        While the quota does not suffice, wait for ``patience`` seconds altogether; ``on_wait`` gets each
        refusal. ``on_repeat`` is called if the same was submitted with this key before.

        Raises:
            ApiProblem: The server refused it; for the quota (429), if waiting would take longer.
        """
        deadline = time.monotonic() + patience
        while True:
            try:
                sent = {"Idempotency-Key": key}
                answer = self._request("POST", self._own("submissions/"), json=document, headers=sent)
            except ApiProblem as problem:
                wait = problem.retry_after
                is_quota = problem.status == HTTPStatus.TOO_MANY_REQUESTS and wait is not None
                if wait is None or not is_quota or time.monotonic() + wait > deadline:
                    raise
                on_wait(problem)
                time.sleep(max(1, wait))
            else:
                if answer.status_code == HTTPStatus.OK:
                    on_repeat()
                return json_object(answer)

    def check(self, document: Mapping[str, Any]) -> Json:
        """Check a JSON document like a submission; nothing is stored."""
        return self._post("submissions/validate/", json=document, headers={})

    def submissions(self, *, owner: str | None = None, prefix: str | None = None) -> Iterator[Json]:
        """The submissions of a user, or those whose ids begin with ``prefix``, newest first."""
        asked = {name: value for name, value in (("owner", owner), ("id", prefix)) if value is not None}
        return self._pages(f"submissions/?{urlencode(asked)}")

    def submission(self, submission_id: str) -> Json:
        """One submission."""
        return self._get(f"submissions/{quote(submission_id, safe='')}/")

    def items(self, submission_id: str) -> Iterator[Json]:
        """A submission's items."""
        return self._pages(f"submissions/{quote(submission_id, safe='')}/items/")

    def item(self, submission_id: str, position: int) -> Json:
        """One item with its trace."""
        return self._get(f"submissions/{quote(submission_id, safe='')}/items/{position}/")

    def retry(self, submission_id: str, position: int) -> Json:
        """Have an item replayed once more that failed because of the infrastructure; anybody may."""
        return self._post(f"submissions/{quote(submission_id, safe='')}/items/{position}/retry/", json=None)

    def step_difference(self, submission_id: str, position: int, step: int, *, ask: bool = False) -> Json:
        """What a step of a verified item changes, or how far that is; ``ask`` has a worker find it out."""
        return self._question(submission_id, position, f"steps/{step}/difference/", ask=ask)

    def minimised(self, submission_id: str, position: int, *, ask: bool = False) -> Json:
        """Which actions of a verified item suffice, or how far that is; ``ask`` has a worker find it out."""
        return self._question(submission_id, position, "minimised/", ask=ask)

    def _question(self, submission_id: str, position: int, rest: str, *, ask: bool) -> Json:
        place = f"submissions/{quote(submission_id, safe='')}/items/{position}/{rest}"
        return self._post(place, json=None) if ask else self._get(place)

    def withdraw(self, submission_id: str) -> Json:
        """Withdraw a submission."""
        return self._post(f"submissions/{quote(submission_id, safe='')}/withdraw/", json=None)

    def edit(self, submission_id: str, changes: Mapping[str, Any]) -> Json:
        """Change ``description``, ``url`` or ``effort`` of one's own submission; ``effort`` as a whole."""
        return self._post(f"submissions/{quote(submission_id, safe='')}/edit/", json=changes)

    def portable_boards(self) -> list[Json]:
        """The boards of portable entries."""
        found: list[Json] = self._get("portable/")["results"]
        return found

    def portable_board(self, slug: str, *, round_ends_at: str = "") -> Json:
        """One board of portable entries with those of its last round, or of the one that ended at a moment.

        ``rounds`` of the answer has these moments.
        """
        asked = f"?{urlencode({'round': round_ends_at})}" if round_ends_at else ""
        return self._get(f"portable/{quote(slug, safe='')}/{asked}")

    def seal(self, document: Mapping[str, Any]) -> Json:
        """Seal a portable entry; repeating the call in the same round makes no second one."""
        return self._post("portable/entries/", json=document, headers={})

    def portable_entry(self, entry_id: str) -> Json:
        """One portable entry with its programs."""
        return self._get(f"portable/entries/{quote(entry_id, safe='')}/")

    def withdraw_entry(self, entry_id: str) -> Json:
        """Withdraw a portable entry."""
        return self._post(f"portable/entries/{quote(entry_id, safe='')}/withdraw/", json=None)

    def wait_for_entry(
        self,
        entry_id: str,
        *,
        on_progress: Callable[[Json], None] = lambda _: None,
        timeout: float = 3600.0,
        poll: float = POLL_SECONDS,
    ) -> Json:
        """Wait until all replays of a portable entry have ended, also while the server does not answer.

        Raises:
            ClientError: It took longer than ``timeout`` seconds, or the server refused to tell.
        """
        return self._until(
            "portable entry", lambda: self.portable_entry(entry_id), on_progress, timeout, poll
        )

    def compare(
        self, entries: Sequence[str], *, board: str | None = None, program: str | None = None
    ) -> Json:
        """Two to four entries beside each other, with the first page of the programs.

        An entry is the id of a submission, ``level:`` and a level, or ``virtual-best``. ``board`` is needed
        if none is a submission; ``program`` is the one whose sequences are aligned.
        """
        asked = [("entry", entry) for entry in entries]
        asked += [(name, value) for name, value in (("board", board), ("program", program)) if value]
        return self._get(f"compare/?{urlencode([*asked, ('page_size', MAX_PAGE_SIZE)])}")

    def wait(
        self,
        submission_id: str,
        *,
        on_progress: Callable[[Json], None] = lambda _: None,
        timeout: float = 3600.0,
        poll: float = POLL_SECONDS,
    ) -> Json:
        """Wait until every item of a submission has a verdict, also while the server does not answer.

        Raises:
            ClientError: It took longer than ``timeout`` seconds, or the server refused to tell.
        """
        read = partial(self.submission, submission_id)
        return self._until("submission", read, on_progress, timeout, poll)

    def _until(
        self,
        noun: str,
        read: Callable[[], Json],
        on_progress: Callable[[Json], None],
        timeout: float,
        poll: float,
    ) -> Json:
        deadline = time.monotonic() + timeout
        while True:
            pause, outage = poll, None
            try:
                found = read()
            except ClientError as error:
                is_refusal = isinstance(error, ApiProblem) and error.status in TRANSIENT
                if not is_refusal and not isinstance(error, NoAnswer):  # else it passes by itself
                    raise
                outage, pause = error, max(poll, getattr(error, "retry_after", None) or 0)
            else:
                on_progress(found)
                if found.get("state") in _LAST_STATES[noun]:
                    return found
            remaining = deadline - time.monotonic()
            if remaining <= 0 and outage is not None:
                message = f"It is not known after {timeout:.0f} seconds whether the {noun} is verified."
                raise ClientError(f"{message} {outage}") from outage
            if remaining <= 0:
                raise ClientError(
                    f"The {noun} is not verified after {timeout:.0f} seconds; the server continues. "
                    f"Look at {found.get('url', self.url)} later."
                )
            time.sleep(min(pause, remaining))
