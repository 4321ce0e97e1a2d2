"""What the pages and the API's lists cost on a server with a million items.

    python benchmarks/web.py [--submissions 10000] [--repeats N] [--entries 10 1000 10000] [--keep FOLDER]

It fills its own PostgreSQL with 10,000 submissions of 1,000,000 items (``seeding.py``) and asks for every
page and list through the whole stack of middleware and views: the queries of each, the median and the 99th of
a hundred times, and the processor time of this process. Then a web server answers the same addresses over
HTTP. Last, it prints the work on standings that the end of one replay causes, on boards of several sizes.

With ``--keep`` the folder's database is used again, and filled only if it is empty.
"""

from __future__ import annotations

import argparse
import os
import platform
import socket
import statistics
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import seeding
from measuring import aim, milliseconds, show
from scratch import scratch_database

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from django.test import Client

    from leaderboard.models import Board, Submission, SubmissionItem

AIM_MILLISECONDS: Final = 50.0
AIM_STANDINGS: Final = 20.0
_WARM_UP: Final = 3
_WAIT_SECONDS: Final = 60.0


@dataclass(frozen=True)
class Address:
    """One page or list: its address, and who asks for it: an owner, or nobody."""

    name: str
    path: str
    owner: str = ""


def addresses() -> list[Address]:
    """Every page and list that reads what grows."""
    from leaderboard.models import Submission  # noqa: PLC0415 - needs Django

    def newest(board: str, **chosen: object) -> Submission:
        return Submission.objects.filter(board__slug=board, **chosen).latest("created")

    found = [*_plain(), *_of_boards()]
    for board, size in (("popular", "31"), ("wide", "1,000"), ("widest", "10,000")):
        ended = Submission.objects.filter(board__slug=board, withdrawn_at__isnull=True).earliest("created")
        found += _of_submission(ended, f"of {size} items")
    waiting = Submission.objects.filter(items__verdict="pending").latest("created")
    found += _of_submission(waiting, "that waits")
    found.append(Address("page: submission, last items", f"{ended.get_absolute_url()}?page=200"))
    one = newest("popular").owner.username
    filters = (
        "?board=popular",
        f"?owner={one}",
        "?agent=agent+77",
        "?agent=nobody",
        "?page=400",
        "?page=200",
    )
    found += [Address(f"page: submissions {query}", f"/submissions/{query}") for query in filters]
    found += [
        Address(f"API: submissions {query}", f"/api/v1/submissions/{query}")
        for query in ("", *filters[:4], "?page_size=200")
    ]
    found.append(Address("page: submissions ?mine=1", "/submissions/?mine=1", one))
    return found


def _plain() -> list[Address]:
    pages: tuple[str, ...] = (
        "",
        "boards",
        "submissions",
        "queue",
        "environments",
        "datasets",
        "datasets/wide-v0",
    )
    pages += ("datasets/widest-v0", "datasets/widest-v0/777")
    lists: tuple[str, ...] = ("boards", "queue", "environments", "datasets")
    lists += ("datasets/wide-v0", "datasets/widest-v0/benchmarks")
    return [
        *(Address(f"page: /{one}", f"/{one}/".replace("//", "/")) for one in pages),
        *(Address(f"API: {one}", f"/api/v1/{one}/") for one in lists),
    ]


def _of_boards() -> Iterator[Address]:
    for slug, pages in (("popular", (1, 2, 15, 30)), ("wide", (1,)), ("widest", (1,))):
        for number in pages:
            yield Address(f"page: board {slug}, page {number}", f"/boards/{slug}/?page={number}")
    yield Address("page: board popular, every entry", "/boards/popular/?all=1")
    yield Address("page: board popular, every entry, page 118", "/boards/popular/?all=1&page=118")
    standings = "/api/v1/boards/popular/standings/"
    yield Address("API: board popular", "/api/v1/boards/popular/")
    yield Address("API: standings, first page", standings)
    yield Address("API: standings, every entry, 200 rows", f"{standings}?all=1&page_size=200")
    yield Address("API: standings, every entry, deep", f"{standings}?all=1&cursor=bz01ODAw")


def _of_submission(one: Submission, what: str) -> list[Address]:
    own, api = f"/submissions/{one.pk}/", f"/api/v1/submissions/{one.pk}/"
    return [
        Address(f"page: submission {what}", own),
        Address(f"page: its progress, {what}", f"{own}progress/"),
        Address(f"page: item of one {what}", f"{own}items/7/"),
        Address(f"API: submission {what}", api),
        Address(f"API: items of one {what}", f"{api}items/"),
        Address(f"API: item of one {what}", f"{api}items/7/"),
    ]


def pages(asked: Sequence[Address], repeats: int) -> None:
    """Ask for each address in turns, so that a busy machine slows all alike."""
    clients = {owner: _client(owner) for owner in {one.owner for one in asked}}
    times: dict[str, list[float]] = {one.name: [] for one in asked}
    busy: dict[str, list[float]] = {one.name: [] for one in asked}
    queries = {}
    for turn in range(repeats + _WARM_UP):
        for one in asked:
            start, worked = time.perf_counter(), time.process_time()
            number = _get(clients[one.owner], one.path)
            queries[one.name] = number
            if turn >= _WARM_UP:
                times[one.name].append(1000 * (time.perf_counter() - start))
                busy[one.name].append(1000 * (time.process_time() - worked))
    print(f"pages and lists: p50 and p99 of {repeats}, milliseconds")
    met = 0
    for one in asked:
        last = _percentile(times[one.name], 99)
        met += last <= AIM_MILLISECONDS
        worked = statistics.median(busy[one.name])
        remarks = f"p99 {last:8.1f}; {worked:6.1f} of them computed here; {queries[one.name]:2} queries"
        show(
            one.name, statistics.median(times[one.name]), f"{remarks}; {aim(last, AIM_MILLISECONDS, 'p99 ')}"
        )
    print(f"  {met} of {len(asked)} meet the aim")


def _client(owner: str) -> Client:
    from django.contrib.auth.models import User  # noqa: PLC0415 - needs Django
    from django.test import Client  # noqa: PLC0415 - as above

    client = Client()
    if owner:
        client.force_login(User.objects.get(username=owner))
    return client


def _get(client: Client, path: str) -> int:
    """Ask for a page; the number of its queries."""
    from django.db import connection  # noqa: PLC0415 - needs Django

    number = 0

    def count(execute: Callable[..., object], *arguments: object) -> object:
        nonlocal number
        number += 1
        return execute(*arguments)

    with connection.execute_wrapper(count):
        response = client.get(path)
    if response.status_code != 200:  # noqa: PLR2004 - OK
        raise SystemExit(f"{path}: {response.status_code} {response.content[:500]!r}")
    return number


def _percentile(values: Sequence[float], percent: int) -> float:
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)]


def first_rows() -> None:
    """The time until a file of a whole board begins."""
    client = _client("")
    values = []
    for _ in range(20):
        start = time.perf_counter()
        response = client.get("/api/v1/boards/popular/standings.csv?all=1")
        next(iter(response))
        values.append(1000 * (time.perf_counter() - start))
        response.close()
    last = max(values)
    show(
        "CSV of 6,000 entries, first rows",
        statistics.median(values),
        f"p99 {last:8.1f}; {aim(last, 50, 'p99 ')}",
    )


@contextmanager
def web_server() -> Iterator[str]:
    """The web server on a free port; its address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "gunicorn", "leaderboard.wsgi", "--bind", f"127.0.0.1:{port}"]
    command += ["-k", "gthread", "-w", "1", "--threads", "4", "--no-control-socket", "--log-level", "error"]
    process = subprocess.Popen(command, cwd=Path(__file__).resolve().parents[1])  # noqa: S603 - ours
    home = f"http://127.0.0.1:{port}"
    try:
        end = time.monotonic() + _WAIT_SECONDS
        while True:
            try:
                _fetch(f"{home}/healthz")
                break
            except OSError as error:
                if time.monotonic() > end:
                    raise SystemExit("The web server does not answer.") from error
                time.sleep(0.2)
        yield home
    finally:
        process.terminate()
        process.wait()


def _fetch(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=_WAIT_SECONDS) as answer:  # noqa: S310 - ours
        body: bytes = answer.read()
    return body


def over_http(asked: Sequence[Address]) -> None:
    """One pass over HTTP, after one that opens the connections."""
    print("the same over HTTP: one pass, milliseconds")
    with web_server() as home:
        open_to_all = [one for one in asked if not one.owner]
        for one in open_to_all:
            _fetch(home + one.path)
        values = [milliseconds(partial(_fetch, home + one.path)) for one in open_to_all]
    worst = max(range(len(values)), key=values.__getitem__)
    show("median", statistics.median(values))
    show(f"slowest, {open_to_all[worst].name}", values[worst], aim(values[worst], AIM_MILLISECONDS))


def standings(boards: Sequence[Board], repeats: int) -> None:
    """Score one entry of each board again, as the end of each of its replays does."""
    from leaderboard.models import Submission  # noqa: PLC0415 - needs Django

    print(f"standings: the work of one end, the median of {repeats}")
    for board in boards:
        entry = Submission.objects.filter(board=board, withdrawn_at__isnull=True).earliest("created")
        ended = list(entry.items.select_related("submission")[:1])
        times = [milliseconds(partial(_change, ended)) for _ in range(repeats)]
        entries, items = board.standings.count(), entry.items.count()
        name = f"{entries:,} entries, {items:,} items each"
        show(name, statistics.median(times), aim(statistics.median(times), AIM_STANDINGS))


def _change(items: Sequence[SubmissionItem]) -> None:
    from django.db import transaction  # noqa: PLC0415 - needs Django

    from leaderboard.services.standings import change_all, counted  # noqa: PLC0415 - as above

    with transaction.atomic():
        change_all(items=items, former={one.pk: counted(one) for one in items})


def boards_of(entries: Sequence[int]) -> list[Board]:
    """Boards of eight programs with so many entries, made if they do not exist."""
    from django.contrib.auth.models import User  # noqa: PLC0415 - needs Django
    from scratch import make_board  # noqa: PLC0415 - as above
    from server import PROGRAMS_OF_A_BOARD, fill  # noqa: PLC0415 - as above

    from leaderboard.models import Board  # noqa: PLC0415 - as above

    found = []
    for size in entries:
        board = Board.objects.filter(slug=f"full{size}").first()
        if board is None:
            board = make_board(f"full{size}", PROGRAMS_OF_A_BOARD)
            fill(board, User.objects.get_or_create(username="owner0")[0], size)
        found.append(board)
    return found


def main() -> None:
    """Fill, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--submissions", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=100)
    parser.add_argument("--entries", type=int, nargs="*", default=[10, 1_000, 10_000])
    parser.add_argument("--keep", type=Path)
    given = parser.parse_args()
    print(f"web, {os.cpu_count()} processors, Python {platform.python_version()}, with its own PostgreSQL")
    with scratch_database(given.keep):
        from leaderboard.models import Board  # noqa: PLC0415 - needs Django

        if not Board.objects.filter(slug=seeding.PARTS[0].name).exists():
            show(
                "filling the database",
                milliseconds(lambda: seeding.seed(given.submissions)) / 1000,
                unit="s ",
            )
        print("; ".join(f"{number:,} {name}" for name, number in seeding.counts().items()))
        asked = addresses()
        pages(asked, given.repeats)
        first_rows()
        over_http(asked)
        seeded = list(Board.objects.filter(slug__in=[part.name for part in seeding.PARTS]))
        standings([*boards_of(given.entries), *seeded], max(5, given.repeats // 5))
    print(f"load of the machine at the end: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
