"""What the server's two hot paths cost: storing a submission of many items, and ending one item of a board.

    python benchmarks/server.py [--items 1 500 10000] [--entries 10 1000 10000]
                                [--long 10 1000 10000] [--ends N]

*Requests* posts submissions of some sizes to a real PostgreSQL: new work, the same work while it waits, the
same work once it has ended, and a withdrawal; it prints the queries and the seconds of each. *Ends* fills
boards with entries, ends the replays of one more entry, and reads the board; it prints the median of each,
and how many times longer it takes on the largest board than on the smallest. *Long entries* ends items of
entries that have many themselves. *Verdict and standing* is the part of an end that the leaderboard does.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import statistics
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from kit import (
    PROGRAMS_OF_A_BOARD,
    aim,
    analyse,
    counted_queries,
    fill_board,
    make_board,
    milliseconds,
    scratch_database,
    show,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from django.contrib.auth.models import User
    from rest_framework.test import APIClient

    from leaderboard.models import Board

AIM_QUERIES: Final = 32
AIM_QUERIES_ITEMS: Final = 500
AIM_SECONDS: Final = 5.0
AIM_SECONDS_ITEMS: Final = 10_000
ENDING: Final = "end one item"
SETTLING: Final = "  of it, verdict and standing"
STORING: Final = "store one item"
# Of storing one item: a slow machine slows both. Where that takes 22 ms, this allows 20.
AIM_SETTLING: Final = 0.9


def body(board: str, items: int, seed: int) -> bytes:
    rows = [
        {
            "benchmark": f"benchmark://{board}-v0/{number}",
            "actions": [seed % 50, *(number // 50**place % 50 for place in range(3)), 1, 2, 3, 4],
        }
        for number in range(items)
    ]
    return json.dumps({"board": board, "agent": f"agent {seed}", "items": rows}).encode()


@dataclass(frozen=True)
class Cost:
    """What one request took; ``processor`` is what this process computed, whatever else the machine did."""

    queries: int
    seconds: float
    processor: float


def costs(request: Callable[[], Any], expected: int) -> tuple[Cost, Any]:
    start, busy = time.perf_counter(), time.process_time()
    with counted_queries() as queries:
        response = request()
    seconds, processor = time.perf_counter() - start, time.process_time() - busy
    if response.status_code != expected:
        raise SystemExit(f"{response.status_code} and not {expected}: {response.content[:2000]!r}")
    return Cost(len(queries), seconds, processor), response.json()


def client_of(user: User) -> APIClient:
    from rest_framework.test import APIClient  # noqa: PLC0415 - needs Django

    from leaderboard.accounts.services import create_token  # noqa: PLC0415 - as above

    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {create_token(user=user, name='benchmark')[1]}")
    return client


def requests(sizes: Sequence[int]) -> None:
    board = make_board("many", max(sizes))
    # Whoever withdraws has no other work: the quota of one user does not suffice for both.
    ada, bob, eve, kim = (client_of(_user(name)) for name in ("ada", "bob", "eve", "kim"))
    print("requests: a POST of n items; seconds, those of them that this process computed, and queries")
    for seed, size in enumerate(sizes):
        sent = body(board.slug, size, seed)

        def post(client: APIClient, sent: bytes = sent) -> Callable[[], Any]:
            return lambda: client.post("/api/v1/submissions/", sent, content_type="application/json")

        new, made = costs(post(ada), 202)
        _show(f"{size:,} items, new work", new, size)
        again, _ = costs(post(bob), 202)
        _show(f"{size:,} items, work that waits", again, size)
        _end_all(made["id"])
        ended, _ = costs(post(eve), 202)
        _show(f"{size:,} items, work that has ended", ended, size)
        _, made = costs(post(kim, body(board.slug, size, seed + len(sizes))), 202)
        withdrawn, _ = costs(lambda path=f"/api/v1/submissions/{made['id']}/withdraw/": kim.post(path), 200)
        _show(f"{size:,} items, withdrawal", withdrawn, size)


def _show(name: str, cost: Cost, size: int) -> None:
    remarks = [f"{cost.processor:.3f} s of processor time", f"{cost.queries:,} queries"]
    if size == AIM_QUERIES_ITEMS:
        remarks.append(aim(cost.queries, AIM_QUERIES))
    if size == AIM_SECONDS_ITEMS:
        remarks.append(aim(cost.seconds, AIM_SECONDS))
    show(name, cost.seconds, "; ".join(remarks), unit="s ")


def _end_all(submission: str) -> None:  # as if runners had done it; all of them find -Oz
    from django.utils import timezone  # noqa: PLC0415 - needs Django

    from leaderboard.models import SubmissionItem  # noqa: PLC0415 - as above
    from runner.models import Verification  # noqa: PLC0415 - as above

    waiting = SubmissionItem.objects.filter(submission=submission).values("verification")
    Verification.objects.filter(pk__in=waiting).update(
        state="recorded",
        finished_at=timezone.now(),
        metrics={"ir_instructions": 100},
        result={"ok": True, "steps": [{"had_no_effect": False, "digest": "d"}] * 8},
        sandbox={},
    )


def _user(name: str) -> User:
    from django.contrib.auth.models import User  # noqa: PLC0415 - needs Django

    return User.objects.create_user(name)


def ends(sizes: Sequence[int], repeats: int) -> None:  # in turns, so that a busy machine slows all alike
    print(f"ends: one item of a board with so many complete entries; the median of {repeats}")
    boards = {}
    for size in sizes:
        boards[size] = make_board(f"full{size}", PROGRAMS_OF_A_BOARD), _user(f"owner{size}")
        fill_board(*boards[size], size)
    times: dict[str, dict[int, list[float]]] = {}
    for turn in range(repeats + 1):
        for size, (board, owner) in boards.items():
            for name, value in measure_board(board, owner, turn).items():
                times.setdefault(name, {}).setdefault(size, []).append(value)
    small, large = min(sizes), max(sizes)
    for name, of_sizes in times.items():
        # The first turn is left out: it does what is done once.
        middle = {size: statistics.median(values[1:]) for size, values in of_sizes.items()}
        for size, value in middle.items():
            ratio = f"{value / middle[small]:.2f} x that of {small:,} entries" if size != small else ""
            stored = statistics.median(times[STORING][size][1:])
            show(f"{name}, {size:,} entries", value, _settled(value, stored) if name == SETTLING else ratio)
        if name == ENDING:
            ratio = f"{middle[large] / middle[small]:.2f}"
            print(f"  ratio of ending one item, {large:,} entries / {small:,}: {ratio}")


def _settled(value: float, stored: float) -> str:
    return f"{value / stored:.2f} x storing one; {aim(value / stored, AIM_SETTLING)}"


def measure_board(board: Board, owner: User, turn: int) -> dict[str, float]:
    from django.test import Client  # noqa: PLC0415 - needs Django

    from leaderboard.submissions.services import Incoming, receive  # noqa: PLC0415 - as above
    from runner.models import Verification  # noqa: PLC0415 - as above

    sent = Incoming(body=body(board.slug, 1, 100 + turn), format="json")
    stored = milliseconds(lambda: receive(owner=owner, incoming=sent))
    newest = Verification.objects.filter(state="queued").latest("created_at")
    browser = Client()
    pages = {
        "API, first page": f"/api/v1/boards/{board.slug}/standings/",
        "board page": f"/boards/{board.slug}/",
        "list of submissions": f"/api/v1/submissions/?board={board.slug}",
    }
    return (
        _end_one(newest, 95 + turn % 5)
        | {STORING: stored}
        | {name: milliseconds(lambda path=path: browser.get(path)) for name, path in pages.items()}
    )


def long_entries(sizes: Sequence[int], repeats: int) -> None:
    # End the last items of entries that have so many, on a board of as many programs, in turns.
    print(f"long entries: one item of an entry with so many; the median of {repeats}")
    waiting = {size: _nearly_ended(size, repeats + 1) for size in sizes}
    analyse()
    times: dict[str, dict[int, list[float]]] = {}
    for turn in range(min(repeats + 1, *sizes)):
        for size, replays in waiting.items():
            for name, value in _end_one(replays[turn], 95 + turn % 5).items():
                times.setdefault(name, {}).setdefault(size, []).append(value)
    for name, of_sizes in times.items():
        for size, values in of_sizes.items():
            show(f"{name}, {size:,} items", statistics.median(values[1:]))


def _nearly_ended(items: int, waiting: int) -> list[Any]:
    from leaderboard.boards.services import rebuild_boards  # noqa: PLC0415 - as above
    from leaderboard.models import SubmissionItem  # noqa: PLC0415 - needs Django
    from leaderboard.submissions.services import Incoming, receive  # noqa: PLC0415 - as above

    board = make_board(f"long{items}", items)
    sent = Incoming(body=body(board.slug, items, 7), format="json")
    made, _ = receive(owner=_user(f"writer{items}"), incoming=sent)
    own = SubmissionItem.objects.filter(submission=made)
    ended = own.filter(position__gte=waiting)
    ended.update(
        verdict="verified",
        value=90,
        ratio=100 / 90,
        log_ratio=math.log(100 / 90),
        effective_actions=8,
        own=True,
    )
    rebuild_boards(board_ids=[board.pk])
    first = own.filter(position__lt=waiting).order_by("position").select_related("verification")
    return [one.verification for one in first]


def _end_one(verification: Any, value: int) -> dict[str, float]:  # noqa: ANN401 - the model is known with Django only
    # The milliseconds of the transaction, and of what the leaderboard does in it.
    from runner.models import State  # noqa: PLC0415 - as above
    from runner.queue import leases, transitions  # noqa: PLC0415 - needs Django
    from tests.kit.work import lease_row  # noqa: PLC0415 - needs Django

    lease = lease_row(verification_id=verification.pk, worker="benchmark")
    if lease is None:
        raise SystemExit("The replay cannot be leased.")
    leases.advance(lease=lease, to=State.MEASURING)
    outcome = transitions.ReplayOutcome(
        result={"ok": True, "steps": [{"had_no_effect": False, "digest": str(verification.pk)}] * 8},
        metrics={"ir_instructions": value},
        sandbox={},
    )
    with record_settling() as spent:
        whole = milliseconds(lambda: leases.record(lease=lease, outcome=outcome))
    return {ENDING: whole, SETTLING: sum(spent)}


@contextmanager
def record_settling() -> Iterator[list[float]]:
    from leaderboard.receivers import settle_items  # noqa: PLC0415 - needs Django
    from runner.queue.transitions import verifications_finished as finished  # noqa: PLC0415 - as above

    spent: list[float] = []

    def timed(**given: Any) -> None:  # noqa: ANN401 - whatever the signal sends
        spent.append(milliseconds(lambda: settle_items(**given)))

    finished.disconnect(dispatch_uid="leaderboard.settle")
    finished.connect(timed)
    try:
        yield spent
    finally:
        finished.disconnect(timed)
        finished.connect(settle_items, dispatch_uid="leaderboard.settle")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--items", type=int, nargs="+", default=[1, AIM_QUERIES_ITEMS, AIM_SECONDS_ITEMS])
    parser.add_argument("--entries", type=int, nargs="+", default=[10, 1_000, 10_000])
    parser.add_argument("--long", type=int, nargs="+", default=[10, 1_000, 10_000])
    parser.add_argument("--ends", type=int, default=21)
    given = parser.parse_args()
    print(f"server, {os.cpu_count()} processors, Python {platform.python_version()}, with its own PostgreSQL")
    with scratch_database():
        requests(given.items)
        ends(given.entries, given.ends)
        long_entries(given.long, given.ends)
    print(f"load of the machine at the end: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
