"""What one person has on the boards: the best entry of each, agents, and how an agent's entries developed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.contrib.auth.models import User
from django.db.models import Case, Count, F, Prefetch, QuerySet, When, prefetch_related_objects
from django.http import Http404

from leaderboard.boards.ranking import BOARD_ORDER
from leaderboard.boards.standings import UNSHOWN_OF_A_BOARD, set_figures
from leaderboard.models import Board, Find, Standing, Submission
from leaderboard.people.agent_names import family
from leaderboard.records.queries import list_records
from runner.database import read_rows

DRAWN: Final = 500  # The newest entries of an agent on a board that its chart has.
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
class AgentRow:
    # A family of agents of one owner competes for one rank of each board.
    family: str
    name: str  # Of its newest entry.
    entries: int  # Without withdrawn ones.
    first: datetime
    last: datetime
    boards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Agents:
    # The one with the newest entry first; a slice is read by one statement.
    owner_id: int

    def __len__(self) -> int:
        return int(read_rows(_NUMBER_OF_AGENTS, [self.owner_id])[0][0])

    def __getitem__(self, part: slice) -> list[AgentRow]:
        start = part.start or 0
        rows = read_rows(_AGENTS, [self.owner_id, start, None if part.stop is None else part.stop - start])
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


def find_person(username: str) -> User | None:
    # Closed accounts have pages too, since their results stay.
    return User.objects.filter(username=username).first()


def get_person(username: str) -> User:
    found = find_person(username)
    if found is None:
        raise Http404(f"There is no user {username!r}.")
    return found


def figures_of(owner: User, *, records: int | None = None) -> dict[str, int]:
    # `records` where they were counted already. A state is found once, whatever boards compare of it.
    finds = Find.objects.filter(owner=owner, own=True, item__isnull=False)
    return {
        "records": list_records(owner=owner.username).count() if records is None else records,
        "entries": Submission.objects.filter(owner=owner).count(),
        "finds": finds.aggregate(number=Count("state_sha256", distinct=True))["number"],
    }


def best_entries(owner: User) -> list[Standing]:
    first = (
        Standing.objects.filter(submission__owner=owner, best_of_owner=True)
        .order_by("board__slug", Case(When(pending=0, then=0), default=1), *BOARD_ORDER)
        .distinct("board__slug")
    )
    rows = Standing.objects.filter(pk__in=first.values("pk")).order_by("board__slug")
    return list(shown_entries(list(rows)))


def entries_of_agent(owner: User, name: str, *, board: Board | None = None) -> QuerySet[Standing]:
    # Newest first, on one board or on all. `name` is the family, or the name of any of its agents.
    boards = Board.objects.all() if board is None else Board.objects.filter(pk=board.pk)
    # The boards are named, since the index of groups begins with them.
    rows = Standing.objects.filter(
        board__in=list(boards.values_list("pk", flat=True)), agent_group=f"{owner.pk} {family(name)}"
    )
    return rows.order_by("-submitted_at", "submission_id")


def shown_entries(rows: Sequence[Standing]) -> Sequence[Standing]:
    if not rows:
        return rows
    submissions = Prefetch("submission", Submission.objects.defer("description").select_related("owner"))
    boards = Board.objects.select_related("dataset_version", "environment_version")
    prefetch_related_objects(rows, submissions, Prefetch("board", boards.defer(*UNSHOWN_OF_A_BOARD)))
    for row in rows:
        row.submission.board = row.board
    set_figures(rows)
    return rows


def boards_of_agent(owner: User, name: str) -> list[Board]:
    boards = entries_of_agent(owner, name).order_by().values("board").distinct()
    found = Board.objects.filter(pk__in=boards).select_related("dataset_version", "environment_version")
    return list(found.defer(*UNSHOWN_OF_A_BOARD).order_by("slug"))


def development(owner: User, name: str, board: Board) -> dict[str, Any]:
    # Of complete entries: from each moment on, the best score until then; of each drawn entry its moment,
    # score and text.
    rows = entries_of_agent(owner, name, board=board).filter(
        score__isnull=False, pending=0, verified=F("total")
    )
    newest = rows.values_list("submitted_at", "score", "submission__agent")[: DRAWN + 1]
    found = [(at, float(score or 0), agent) for at, score, agent in newest]
    drawn = found[:DRAWN][::-1]
    best: list[tuple[datetime, float]] = []
    for at, score, _ in drawn:
        if score > (best[-1][1] if best else 0.0):
            best.append((at, score))
    return {
        "best": best,
        "entries": [(at, score, f"{at:%Y-%m-%d}: {score:.4f}, {agent}") for at, score, agent in drawn],
        "is_cut": len(found) > DRAWN,
    }
