"""What one person has on the boards: the best entry of each, agents, and how an agent's entries developed."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Case, Prefetch, When, prefetch_related_objects

from leaderboard.boards.ranking import BOARD_ORDER
from leaderboard.boards.standings import UNSHOWN_OF_A_BOARD, set_ranks, without_score
from leaderboard.models import Board, Find, Standing, Submission
from leaderboard.people.agent_names import family
from leaderboard.records.queries import list_records

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

DRAWN: Final = 500
"""The newest entries of an agent on a board that its chart has."""
# The group of an agent's entries is its owner's id and its family: see ``boards.services``.
_AGENTS: Final = """
SELECT standing.agent_group, count(*), max(standing.submitted_at), min(standing.submitted_at),
    (array_agg(submission.agent ORDER BY standing.submitted_at DESC, submission.id))[1],
    array_agg(DISTINCT board.slug)
FROM leaderboard_submission AS submission
JOIN leaderboard_standing AS standing ON standing.submission_id = submission.id
JOIN leaderboard_board AS board ON board.id = standing.board_id
WHERE submission.owner_id = %s
GROUP BY standing.agent_group ORDER BY 3 DESC, 1 OFFSET %s LIMIT %s
"""
_NUMBER_OF_AGENTS: Final = """
SELECT count(DISTINCT standing.agent_group) FROM leaderboard_submission AS submission
JOIN leaderboard_standing AS standing ON standing.submission_id = submission.id WHERE submission.owner_id = %s
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """The number of somebody's submissions, finds and records."""

    entries: int
    finds: int
    records: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentRow:
    """A family of agents of one owner, which competes for one rank of each board.

    Attributes:
        family: Its name in addresses.
        name: The name of its newest entry.
        entries: Number of its entries, without withdrawn ones.
        first, last: When its oldest and its newest entry were submitted.
        boards: The slugs of the boards that it is on.
    """

    family: str
    name: str
    entries: int
    first: datetime
    last: datetime
    boards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Agents:
    """The agents of an owner, the one with the newest entry first; a slice is read by one statement."""

    owner_id: int

    def __len__(self) -> int:
        with connection.cursor() as cursor:
            cursor.execute(_NUMBER_OF_AGENTS, [self.owner_id])
            return int(cursor.fetchone()[0])

    def __getitem__(self, part: slice) -> list[AgentRow]:
        start = part.start or 0
        with connection.cursor() as cursor:
            cursor.execute(_AGENTS, [self.owner_id, start, None if part.stop is None else part.stop - start])
            rows = cursor.fetchall()
        return [
            AgentRow(
                family=group.partition(" ")[2],
                name=name,
                entries=entries,
                first=first,
                last=last,
                boards=tuple(boards),
            )
            for group, entries, last, first, name, boards in rows
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Development:
    """The entries of an agent on one board over time.

    Attributes:
        board: The board.
        best: From each moment on, the best score until then.
        entries: Every drawn entry: its moment, its score, its name.
        is_cut: Whether older entries are left out.
    """

    board: Board
    best: tuple[tuple[datetime, float], ...]
    entries: tuple[tuple[datetime, float, str], ...]
    is_cut: bool


def find_person(username: str) -> User | None:
    """An account by its name; those that are closed have pages too, since their results stay."""
    return User.objects.filter(username=username).first()


def figures_of(owner: User, *, records: int | None = None) -> Figures:
    """How much somebody has submitted and found; ``records`` where they were counted already."""
    if records is None:
        records = list_records(owner=owner.username).count()
    return Figures(
        entries=Submission.objects.filter(owner=owner).count(),
        finds=Find.objects.filter(owner=owner, item__isnull=False).count(),
        records=records,
    )


def best_entries(owner: User) -> list[Standing]:
    """The best entry of an owner on each board, with its rank."""
    first = (
        Standing.objects.filter(submission__owner=owner, best_of_agent=True)
        .order_by("board__slug", Case(When(pending=0, then=0), default=1), *BOARD_ORDER)
        .distinct("board__slug")
    )
    rows = Standing.objects.filter(pk__in=first.values("pk")).order_by("board__slug")
    return list(shown_entries(list(rows)))


def agents_of(owner: User) -> Agents:
    """The agents of an owner."""
    return Agents(owner.pk)


def entries_of_agent(owner: User, name: str, *, board: Board | None = None) -> QuerySet[Standing]:
    """The entries of an owner's family of agents, newest first, on one board or on all.

    Args:
        owner: Their owner.
        name: The family, or the name of any of its agents.
        board: The board.
    """
    boards = Board.objects.all() if board is None else Board.objects.filter(pk=board.pk)
    # The boards are named, since the index of groups begins with them.
    rows = Standing.objects.filter(
        board__in=list(boards.values_list("pk", flat=True)), agent_group=f"{owner.pk} {family(name)}"
    )
    return rows.order_by("-submitted_at", "submission_id")


def shown_entries(rows: Sequence[Standing]) -> Sequence[Standing]:
    """Give standings what lists of them show: submissions, boards and ranks; return them.

    Those with replays left have no score.
    """
    if not rows:
        return rows
    submissions = Prefetch("submission", Submission.objects.defer("description").select_related("owner"))
    boards = Board.objects.select_related("dataset_version", "environment_version")
    prefetch_related_objects(rows, submissions, Prefetch("board", boards.defer(*UNSHOWN_OF_A_BOARD)))
    for row in rows:
        row.submission.board = row.board
    set_ranks(rows)
    for row in rows:
        if row.pending:
            without_score(row)
    return rows


def boards_of_agent(owner: User, name: str) -> list[Board]:
    """The boards that an agent has entries on."""
    boards = entries_of_agent(owner, name).order_by().values("board").distinct()
    found = Board.objects.filter(pk__in=boards).select_related("dataset_version", "environment_version")
    return list(found.defer(*UNSHOWN_OF_A_BOARD).order_by("slug"))


def development(owner: User, name: str, board: Board) -> Development:
    """How the scores of an agent's entries on a board developed."""
    rows = entries_of_agent(owner, name, board=board).filter(score__isnull=False, pending=0)
    newest = rows.values_list("submitted_at", "score", "submission__agent")[: DRAWN + 1]
    found = [(at, float(score or 0), agent) for at, score, agent in newest]
    drawn = tuple(reversed(found[:DRAWN]))
    return Development(
        board=board,
        best=tuple(_rises(drawn)),
        entries=tuple((at, score, f"{at:%Y-%m-%d}: {score:.4f}, {agent}") for at, score, agent in drawn),
        is_cut=len(found) > DRAWN,
    )


def _rises(entries: Collection[tuple[datetime, float, str]]) -> Iterator[tuple[datetime, float]]:
    """The moments at which the best score so far became better."""
    best = accumulate((score for _, score, _ in entries), max)
    before = 0.0
    for (at, _, _), score in zip(entries, best, strict=True):
        if score > before:
            yield at, score
        before = score
