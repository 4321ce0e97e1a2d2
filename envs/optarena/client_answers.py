"""A server's answers, read as if it were hostile: bounded in bytes and time, with a typed error where wrong.

The errors of a client are here, too. This module does not load a web client, so catching them is cheap.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, NoReturn, cast

from optarena.errors import OptArenaError, Problem, UnknownName
from optarena.limits import MAX_ANSWER_BYTES, MAX_PAGES
from optarena.tables import TextTable

if TYPE_CHECKING:
    import httpx

Json = dict[str, Any]

_SLOWEST: Final = 10_000  # Bytes per second; an answer that is slower for longer than the timeout is cut off
_LONGEST_SECONDS: Final = 6 * 3_600  # Seconds after which any answer is cut off
_SHOWN: Final = 200
_KEPT_HEADERS: Final = ("ETag", "Content-Type", "Location", "Retry-After")
_DIGITS: Final = 9
_SHORT: Final = 8  # What tables show of an id
WHY_UNRANKED: Final = "no rank because"  # The last column of a table of entries
TRANSIENT: Final = frozenset({429, 502, 503, 504})  # Statuses after which the same request may succeed later


class ClientError(OptArenaError):
    """The server could not be used; the message says what to do."""


class ServerUnreachable(ClientError):
    """No answer came, or one that is not from the API."""


class NoAnswer(ServerUnreachable):
    """The server, or the proxy before it, does not answer now; later it may."""


class UnknownWithoutServer(UnknownName, ServerUnreachable):
    """The name is unknown here, and the server that may know it cannot be asked."""


class DownloadDamaged(ClientError):
    """The server sent something other than announced; nothing of it was kept."""


class FieldProblem(Problem):
    """One field that the server refused."""

    __slots__ = ()

    def __post_init__(self) -> None:
        """A server may have no remedy."""

    def __str__(self) -> str:
        where = "" if self.row is None else f"row {self.row}, "
        given = f" (given: {self.value})" if self.value else ""
        return f"{where}{self.field}: {self.message}{given} {self.remedy}".rstrip()


class ApiProblem(ClientError):
    """The server refused the request (RFC 9457).

    Attributes:
        status: HTTP status.
        title: The kind of problem.
        detail: What is wrong with this request.
        remedy: What to do.
        errors: The offending fields, if any.
        retry_after: In how many seconds the server asks to try again; None if it does not.
    """

    def __init__(self, *, status: int, document: Mapping[str, Any], retry_after: int | None = None) -> None:
        self.retry_after = retry_after
        self.status = status
        self.title = str(document.get("title", "The server refused the request"))
        self.detail = str(document.get("detail", ""))
        self.remedy = str(document.get("remedy", ""))
        errors = document.get("errors")
        self.errors = tuple(_field_problem(one) for one in errors) if isinstance(errors, list) else ()
        said = self.detail if self.detail and self.detail != self.title else ""
        # What else is said of something unknown is about addresses, which users do not type.
        is_unknown = said and status == HTTPStatus.NOT_FOUND
        told = [said] if is_unknown else [f"{self.title}.", said, self.remedy]
        super().__init__(" ".join(filter(None, told)))


def _field_problem(error: object) -> FieldProblem:
    told = error if isinstance(error, Mapping) else {"message": error}
    row = told.get("row")
    return FieldProblem(
        row=row if isinstance(row, int) else None,
        **{key: str(told.get(key, "")) for key in ("field", "value", "message", "remedy")},
    )


class _Told(dict[str, Any]):
    # To read a field that an answer lacks is the server's fault.

    def __missing__(self, name: str) -> NoReturn:
        raise ServerUnreachable(
            f"The server's answer has no {name!r}: it is not the OptArena API, or of another version. "
            "Check the address."
        )


def read_pieces(response: httpx.Response) -> Iterator[bytes]:
    """The content of a response, piece by piece while it is received."""
    import httpx  # noqa: PLC0415 - a web client, which is loaded already

    began, received = time.monotonic(), 0
    patience = response.request.extensions.get("timeout", {}).get("read") or 0
    for piece in response.iter_bytes():
        received += len(piece)
        if time.monotonic() - began > min(patience + received / _SLOWEST, _LONGEST_SECONDS):
            raise httpx.ReadTimeout("the server sends too slowly")
        yield piece


def read_response(response: httpx.Response) -> httpx.Response:
    """A response, received as a whole: at most ``MAX_ANSWER_BYTES``."""
    import httpx  # noqa: PLC0415 - a web client, which is loaded already

    content = bytearray()
    for piece in read_pieces(response):
        content += piece
        if len(content) > MAX_ANSWER_BYTES:
            message = f"{response.request.url} answers with more than {MAX_ANSWER_BYTES} bytes"
            raise ServerUnreachable(f"{message}; this is not the OptArena API. Check the address.")
    headers = {name: response.headers[name] for name in _KEPT_HEADERS if name in response.headers}
    return httpx.Response(
        response.status_code, headers=headers, content=bytes(content), request=response.request
    )


def raise_refusal(response: httpx.Response) -> httpx.Response:
    """The response, if it is not a refusal."""
    if response.is_success or response.status_code == HTTPStatus.NOT_MODIFIED:
        return response
    if response.has_redirect_location:
        message = f"{response.request.url} leads to {response.headers['Location'][:200]}."
        raise ServerUnreachable(f"{message} Give the address of the server as it is written there.")
    document = _document(response)
    if not isinstance(document, dict):
        kind = NoAnswer if response.status_code in TRANSIENT else ServerUnreachable
        raise kind(
            f"{response.request.url} answered {response.status_code} {response.reason_phrase}; "
            "this is not the OptArena API. Check the address."
        )
    raise ApiProblem(status=response.status_code, document=document, retry_after=retry_after(response))


def retry_after(response: httpx.Response) -> int | None:
    """The seconds after which a server asks to try again; None where it does not say so in seconds."""
    said = response.headers.get("Retry-After", "").strip()
    return int(said) if said.isascii() and said.isdecimal() and len(said) <= _DIGITS else None


def json_object(response: httpx.Response) -> Json:
    """The JSON object of a response."""
    document = _document(response)
    if not isinstance(document, dict):
        raise ServerUnreachable(f"{response.request.url} is not the OptArena API. Check the address.")
    return cast("Json", document)


def _document(response: httpx.Response) -> object:
    try:
        return cast("object", response.json(object_hook=_Told))
    except (ValueError, RecursionError):
        return None


def rows_of_pages(get: Callable[[str], Json], address: str) -> Iterator[Json]:
    """The rows of a paged list, from the page at an address on."""
    seen: set[str] = set()
    following: str | None = address
    while following:
        if following in seen or len(seen) >= MAX_PAGES:
            message = f"The server's list {address[:_SHOWN]} does not end"
            raise ServerUnreachable(f"{message}: its pages lead back to {following[:_SHOWN]!r}.")
        seen.add(following)
        page = get(following)
        rows, following = page.get("results"), page.get("next")
        is_page = isinstance(rows, list) and all(isinstance(row, dict) for row in rows)
        if not is_page or not isinstance(following, (str, type(None))):
            message = f"{address[:_SHOWN]} does not answer with a list of the OptArena API."
            raise ServerUnreachable(f"{message} Check the address.")
        yield from cast("list[Json]", rows)


class Boards(list[Json]):
    """All boards of a server."""

    @property
    def table(self) -> TextTable:
        """Each board with its best entry."""
        columns = ("board", "dataset", "entries", "best", "in words", "by")
        rows = (
            (
                *texts_of(one, "slug", "dataset"),
                str(one["entries"]),
                *_leaders(one["leaders"]),
            )
            for one in self
        )
        return TextTable(columns, tuple(rows), numbers=("entries", "best"))

    def _repr_html_(self) -> str:
        return self.table._repr_html_()  # the name that notebooks ask for


class Standings(_Told):
    """A page of a board's rows, with the references that they compare with."""

    @property
    def table(self) -> TextTable:
        """A row for each entry, for the virtual best, and for each reference."""
        columns = ("rank", "agent", "by", "score", "in words", "verified", "submission", WHY_UNRANKED)
        notes = []
        if self["next"]:
            place, _, query = str(self["next"]).partition("/standings/")
            file = f"{place}/standings.csv{'?all=1' if 'all=' in query else ''}"
            notes = [f"only the first {len(self['results'])} rows are shown; all are in {file}"]
        notes += [str(self["provisional_notice"])] if self["provisional"] else []
        notes += [f"withdrawn: {self['withdrawn']}"] if self.get("withdrawn") else []
        numbers = ("rank", "score", "verified")
        return TextTable(columns, tuple(self._rows()), numbers=numbers, note="\n".join(notes))

    def _rows(self) -> Iterator[tuple[str, ...]]:
        for row in self["results"]:
            yield (
                rank_text(row),
                *texts_of(row, "agent", "owner"),
                score_text(row["score"]),
                str(row["against_reference"]),
                f"{row['verified']}/{row['total']}",
                short_id(row["submission"]),
                str(row.get("unranked") or ""),
            )
        for one in self.get("pending", ()):
            done = f"{one['verified']}/{one['total']}"
            agent = texts_of(one, "agent", "owner")
            yield ("", *agent, "", "", done, short_id(one["submission"]), str(one["unranked"]))
        if best := self.get("virtual_best"):
            done = f"{best['verified']}/{best['total']}"
            yield ("", "virtual best", "reference", score_text(best["score"]), "", done, "", "")
        for one in self["references"]:
            words = str(one["against_reference"])
            yield ("", str(one["label"]), "reference", score_text(one["score"]), words, "", "", "")

    def _repr_html_(self) -> str:
        return self.table._repr_html_()  # as above


def rank_text(row: Mapping[str, Any]) -> str:
    """The rank of an entry, or the interval of its ranks; empty where it has none."""
    low, high = row["rank"], row.get("rank_high")
    if low is None:
        return ""
    return str(low) if high in (None, low) else f"{low} to {high}"


def short_id(identifier: object) -> str:
    """The beginning of an id, as tables show it and commands take it."""
    return str(identifier)[:_SHORT]


def score_text(value: float | None) -> str:
    """A score or a ratio; empty where it is not known."""
    return "" if value is None else f"{value:.4f}"


def texts_of(row: Mapping[str, Any], *names: str) -> tuple[str, ...]:
    """The values of these names, as texts."""
    return tuple(str(row[name]) for name in names)


def _leaders(leaders: list[Json]) -> tuple[str, str, str]:
    if not leaders:
        return "", "", ""
    names = dict.fromkeys(str(leader["agent"]) for leader in leaders[:3])
    return score_text(leaders[0]["score"]), str(leaders[0]["against_reference"]), ", ".join(names)
