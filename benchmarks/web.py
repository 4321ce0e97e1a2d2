"""What the pages and the API's lists cost on a server with a million items.

    python benchmarks/web.py [--submissions 10000] [--repeats N] [--entries 10 1000 10000] [--keep FOLDER]

It fills its own PostgreSQL with 10,000 submissions of 1,000,000 items (``seeding.py``) and asks the web
server for every page and list over HTTP: the median and the 99th percentile, the queries, and the processor
time of the web server and of PostgreSQL, which other programs on the machine hardly change. The server
keeps no answer meanwhile: what keeping gives where many ask the same is printed by itself. Then it prints the
work on standings that the end of one replay causes, on boards of several sizes.

With ``--keep`` the folder's database is used again, and filled only if it is empty.
"""

from __future__ import annotations

import argparse
import math
import os
import platform
import statistics
import sys
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

sys.path.append(str(Path(__file__).resolve().parents[1]))

import seeding  # the folder above holds what they import
from measuring import aim, milliseconds, show  # as above
from scratch import scratch_database  # as above
from serving import WebServer  # as above

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from django.test import Client
    from serving import Cost

    from leaderboard.models import Board, Submission, SubmissionItem

AIM_MILLISECONDS: Final = 50.0
AIM_STANDINGS: Final = 20.0
_WARM_UP: Final = 3
_FILES: Final = 20
_KEEPING: Final = "OPTARENA_KEPT_ANSWERS_SECONDS"


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
        "?agent=agent+hh",
        "?agent=nobody",
        "?page=400",
        "?page=200",
    )
    found += [Address(f"page: submissions {query}", f"/submissions/{query}") for query in filters]
    found += [
        Address(f"API: submissions {query}", f"/api/v1/submissions/{query}")
        for query in ("", *filters[:4], "?page_size=100")
    ]
    found.append(Address("page: submissions ?mine=1", "/submissions/?mine=1", one))
    return [*found, *_of_people(one, newest("popular").agent), *_of_comparisons()]


def _of_people(one: str, agent: str) -> Iterator[Address]:
    api, named = f"/api/v1/users/{one}/", quote(agent)
    yield Address("page: person", f"/users/{one}/")
    yield Address("page: agent", f"/users/{one}/agent/?name={named}")
    yield Address("page: records of a person", f"/records/?owner={one}")
    yield Address("API: person", api)
    yield Address("API: agents", f"{api}agents/")
    yield Address("API: entries of an agent", f"{api}entries/?agent={named}")


def _of_comparisons() -> Iterator[Address]:
    from leaderboard.models import Standing  # noqa: PLC0415 - needs Django

    for board, size in (("popular", "31"), ("wide", "1,000"), ("widest", "10,000")):
        best = Standing.objects.filter(board__slug=board).order_by("-score")[:2]
        query = "&".join(f"entry={one}" for one in best.values_list("submission", flat=True))
        query += "&entry=level:Oz&entry=virtual-best"
        yield Address(f"page: comparison on {size} programs", f"/compare/?{query}")
        yield Address(f"API: comparison on {size} programs", f"/api/v1/compare/?{query}")


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
    pages += (
        "datasets/widest-v0",
        "datasets/widest-v0/777",
        "datasets/popular-v0/7",
        "records",
        "records/feed",
    )
    pages += ("runners", "docs", "docs/submitting")
    lists: tuple[str, ...] = ("boards", "queue", "environments", "datasets", "records", "runners")
    lists += ("datasets/wide-v0", "datasets/widest-v0/benchmarks", "datasets/popular-v0/benchmarks/7/results")
    return [
        *(Address(f"page: /{one}", f"/{one}/".replace("//", "/")) for one in pages),
        *(Address(f"API: {one}", f"/api/v1/{one}/") for one in lists),
    ]


def _of_boards() -> Iterator[Address]:
    from django.utils import timezone  # noqa: PLC0415 - needs Django

    for slug, pages in (("popular", (1, 2, 30, 59)), ("wide", (1,)), ("widest", (1,))):
        for number in pages:
            yield Address(f"page: board {slug}, page {number}", f"/boards/{slug}/?page={number}")
    for query in (
        *("sort=-own_items", "sort=agent&page=100", "sort=-contribution", "effort=many", "text=nobody"),
        *("owner=owner93&sort=score", f"as_of={timezone.now():%Y-%m-%d}"),
    ):
        yield Address(f"page: board popular ?{query}", f"/boards/popular/?{query}")
    for slug in ("popular", "widest"):
        yield Address(f"page: board {slug}, program by program", f"/boards/{slug}/programs/?page=9")
    yield Address("API: board popular, program by program", "/api/v1/boards/popular/programs/")
    yield Address("page: board popular, every entry", "/boards/popular/?all=1")
    yield Address("page: board popular, every entry, page 235", "/boards/popular/?all=1&page=235")
    standings = "/api/v1/boards/popular/standings/"
    yield Address("API: board popular", "/api/v1/boards/popular/")
    yield Address("API: standings, first page", standings)
    yield Address("API: standings, every entry, 100 rows", f"{standings}?all=1&page_size=100")
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
    """Ask for each address over HTTP in turns, so that a busy machine slows all alike."""
    clients = {owner: _client(owner) for owner in {one.owner for one in asked}}
    queries = {one: _queries(clients[one.owner], one.path) for one in asked}
    cookies = {owner: client.cookies.output([], "", ";").strip() for owner, client in clients.items()}
    taken: dict[Address, list[Cost]] = {one: [] for one in asked}
    os.environ[_KEEPING] = "0"
    with WebServer() as server:
        for turn in range(repeats + _WARM_UP):
            for one in asked:
                cost = server.ask(one.path, cookies[one.owner])
                if turn >= _WARM_UP:
                    taken[one].append(cost)
    print(f"pages and lists over HTTP: p50 and p99 of {repeats}; processor time of web server + PostgreSQL")
    met = 0
    for one in asked:
        last = _percentile([cost.wall for cost in taken[one]], 99)
        met += last <= AIM_MILLISECONDS
        busy = " + ".join(
            f"{statistics.median(times):4.1f}"
            for times in zip(*(cost.busy for cost in taken[one]), strict=True)
        )
        remarks = f"p99 {last:6.1f}; processor {busy}; {queries[one]:2} queries"
        median = statistics.median(cost.wall for cost in taken[one])
        show(one.name, median, f"{remarks}; {aim(last, AIM_MILLISECONDS, 'p99 ')}")
    print(f"  {met} of {len(asked)} meet the aim")


def visitors(repeats: int) -> None:
    """Ask for popular pages again and again, of a server that keeps answers and of one that does not."""
    print("the same page for many visitors, the median: kept for 2 s while no data change, and made anew")
    for path in ("/", "/boards/popular/", "/boards/popular/programs/", "/queue/"):
        taken = []
        for seconds in ("0", "2"):
            os.environ[_KEEPING] = seconds
            with WebServer() as server:
                for _ in range(_WARM_UP):
                    server.ask(path)
                taken.append(statistics.median(server.ask(path).wall for _ in range(repeats)))
        anew, kept = taken
        show(path, kept, f"{anew:.1f} ms anew; {anew / kept:.1f} times as many visitors")


def _client(owner: str) -> Client:
    from django.contrib.auth.models import User  # noqa: PLC0415 - needs Django
    from django.test import Client  # noqa: PLC0415 - as above

    client = Client()
    if owner:
        client.force_login(User.objects.get(username=owner))
    return client


def _queries(client: Client, path: str) -> int:
    """The number of queries of a page that is made anew, after one that fills caches."""
    from django.conf import settings  # noqa: PLC0415 - needs Django
    from django.db import connection  # noqa: PLC0415 - needs Django

    number = 0

    def count(execute: Callable[..., object], *arguments: object) -> object:
        nonlocal number
        number += 1
        return execute(*arguments)

    settings.OPTARENA_KEPT_ANSWERS_SECONDS = 0
    client.get(path)
    with connection.execute_wrapper(count):
        response = client.get(path)
    if response.status_code != HTTPStatus.OK:
        raise SystemExit(f"{path}: {response.status_code} {response.content[:500]!r}")
    return number


def _percentile(values: Sequence[float], percent: int) -> float:
    """The smallest value that so many of a hundred values do not exceed."""
    return sorted(values)[math.ceil(len(values) * percent / 100) - 1]


def first_rows() -> None:
    """The time until a file of a whole board begins."""
    client = _client("")

    def begin() -> None:
        response = client.get("/api/v1/boards/popular/standings.csv?all=1")
        next(iter(response))
        response.close()

    begin()
    values = [milliseconds(begin) for _ in range(_FILES)]
    remarks = f"most {max(values):.1f}; {aim(max(values), AIM_MILLISECONDS)}"
    show("CSV of 6,000 entries, first rows", statistics.median(values), remarks)


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
    print(f"load of the machine at the start: {os.getloadavg()[0]:.1f}")
    with scratch_database(given.keep):
        from leaderboard.models import Board  # noqa: PLC0415 - needs Django

        if not Board.objects.filter(slug=seeding.PARTS[0].name).exists():
            show(
                "filling the database",
                milliseconds(lambda: seeding.seed(given.submissions)) / 1000,
                unit="s ",
            )
        print("; ".join(f"{number:,} {name}" for name, number in seeding.counts().items()))
        pages(addresses(), given.repeats)
        visitors(given.repeats)
        first_rows()
        seeded = list(Board.objects.filter(slug__in=[part.name for part in seeding.PARTS]))
        standings([*boards_of(given.entries), *seeded], max(5, given.repeats // 5))
    print(f"load of the machine at the end: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
