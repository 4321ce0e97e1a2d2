"""Figures of the queue: for monitoring, and forecasts of when queued verifications start and end.

A figure for monitoring is a query whose cost does not depend on finished work alone: ends are counted from an
index, and phases and lost leases only over the last hour, since older events may be pruned. A forecast is
computed from the order of turns and expected durations: replays may take longer or be asked for meanwhile,
and workers may come and go.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from django.db.models import Count, Min, QuerySet, Sum

from runner.database import database_now, read_rows
from runner.models import PHASES, Demand, Payer, Verification, VerificationEvent
from runner.queue.sweeping import ACTOR
from runner.selectors import able_runners

WINDOW: Final = timedelta(hours=1)
# Lines of payers in the figures: a payer more is a time series more.
LINES_SHOWN: Final = 20

_PHASES: Final = """
    SELECT began.to_state,
           count(*),
           sum(extract(epoch FROM ended.at - began.at)),
           percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM ended.at - began.at)),
           percentile_cont(0.95) WITHIN GROUP (ORDER BY extract(epoch FROM ended.at - began.at))
    FROM runner_verificationevent AS ended
    JOIN runner_verificationevent AS began
      ON began.verification_id = ended.verification_id AND began.seq = ended.seq - 1
    WHERE ended.at > %s AND began.to_state = ANY(%s)
    GROUP BY began.to_state
    ORDER BY began.to_state
"""


class Line(NamedTuple):
    # The payer's name is empty for work that nobody pays for.
    hardware_class: str
    payer: str
    number: int
    oldest_at: datetime


class PhaseTimes(NamedTuple):
    # In seconds, of the phases that ended in the last hour; slow is the 95th percentile.
    phase: str
    number: int
    total: float
    median: float
    slow: float


def ends() -> list[tuple[tuple[str, str], int]]:
    # The number by state and reason.
    ended = Verification.objects.filter(finished_at__isnull=False).order_by("state", "reason")
    rows = ended.values_list("state", "reason").annotate(count=Count("pk"))
    return [((state, reason), count) for state, reason, count in rows]


def lost_leases() -> int:
    return VerificationEvent.objects.filter(at__gt=database_now() - WINDOW, actor=ACTOR).count()


def longest_lines() -> list[Line]:
    rows = (
        Demand.objects.filter(waiting=True)
        .order_by()
        .values_list("hardware_class", "payer__name")
        .annotate(number=Count("id"), oldest=Min("created_at"))
        .order_by("-number", "hardware_class", "payer__name")[:LINES_SHOWN]
    )
    return [Line(*row) for row in rows]


def phase_times() -> list[PhaseTimes]:
    since = database_now() - WINDOW
    return [
        PhaseTimes(phase, count, *map(float, times))
        for phase, count, *times in read_rows(_PHASES, [since, [str(phase) for phase in PHASES]])
    ]


# The first of each payer's line. It jumps from payer to payer, so that a long line costs nothing.
_HEAD: Final = """head AS (
    (SELECT payer_id, id FROM runner_demand
     WHERE hardware_class = %(hardware_class)s AND waiting ORDER BY payer_id, id LIMIT 1)
    UNION ALL
    SELECT following.payer_id, following.id FROM head CROSS JOIN LATERAL (
        SELECT payer_id, id FROM runner_demand
        WHERE hardware_class = %(hardware_class)s AND waiting AND payer_id > head.payer_id
        ORDER BY payer_id, id LIMIT 1) AS following
)"""
# Counts what one payer wants of the chosen verifications. It is written as SQL because clients that wait ask
# for it all the time, and Django takes longer to build the query than PostgreSQL to answer it.
_OWN: Final = """
SELECT min(payer_id), min(id) FILTER (WHERE waiting), max(id) FILTER (WHERE waiting),
       count(*) FILTER (WHERE waiting), count(*) FILTER (WHERE NOT waiting), max(seconds)
FROM runner_demand
WHERE payer_id = (SELECT id FROM runner_payer WHERE name = %s) AND hardware_class = %s
  AND verification_id IN ({})
"""
# The front of each payer's line, in the order of turns, and what runs: no more of a line is read.
_LINES: Final = f"""
WITH RECURSIVE own AS (
    SELECT count(*) FILTER (WHERE id < %(first)s) AS before_first, count(*) AS before_last FROM runner_demand
    WHERE hardware_class = %(hardware_class)s AND waiting AND payer_id = %(payer)s AND id < %(last)s
), {_HEAD}, running AS (
    SELECT payer_id, count(*) AS number, sum(seconds) AS seconds FROM runner_demand
    WHERE hardware_class = %(hardware_class)s AND NOT waiting GROUP BY payer_id
)
SELECT head.payer_id, front.number, front.seconds, own.before_first, own.before_last,
       (SELECT coalesce(sum(seconds), 0) FROM running),
       (SELECT coalesce(sum(number), 0) FROM running WHERE payer_id <> %(payer)s)
FROM own CROSS JOIN head
CROSS JOIN LATERAL (
    SELECT count(*) AS number, sum(seconds) AS seconds FROM (
        SELECT seconds FROM runner_demand
        WHERE hardware_class = %(hardware_class)s AND waiting AND payer_id = head.payer_id
        ORDER BY payer_id, id LIMIT own.before_last + %(more)s) AS line) AS front
LEFT JOIN running ON running.payer_id = head.payer_id
LEFT JOIN runner_turn AS turn ON turn.payer_id = head.payer_id AND turn.hardware_class = %(hardware_class)s
ORDER BY coalesce(running.number, 0), turn.taken_at NULLS FIRST, head.id
"""  # noqa: S608 - of our own constants
# Of each payer that comes soon enough the first ones that wait.
_NEXT: Final = f"""
WITH RECURSIVE {_HEAD}, placed AS (
    SELECT head.payer_id, row_number() OVER (
        ORDER BY coalesce(running.number, 0), turn.taken_at NULLS FIRST, head.id) AS place
    FROM head
    LEFT JOIN (
        SELECT payer_id, count(*) AS number FROM runner_demand
        WHERE hardware_class = %(hardware_class)s AND NOT waiting GROUP BY payer_id
    ) AS running USING (payer_id)
    LEFT JOIN runner_turn AS turn
        ON turn.payer_id = head.payer_id AND turn.hardware_class = %(hardware_class)s
    ORDER BY place LIMIT %(number)s
)
SELECT line.verification_id
FROM placed CROSS JOIN LATERAL (
    SELECT verification_id, row_number() OVER (ORDER BY id) AS round FROM (
        SELECT verification_id, id FROM runner_demand
        WHERE hardware_class = %(hardware_class)s AND waiting AND payer_id = placed.payer_id
        ORDER BY payer_id, id LIMIT %(number)s) AS own) AS line
ORDER BY line.round, placed.place LIMIT %(number)s
"""  # noqa: S608 - of our own constants
_LAST_ID: Final = 2**63 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    # position 1 is next; None if none waits. Seconds are None if no worker takes work. `others` is how many
    # replays of others run.
    position: int | None
    waiting: int
    running: int
    processes: int
    seconds_to_start: float | None
    seconds_to_end: float | None
    others: int = 0

    @property
    def is_least(self) -> bool:
        # Everything waits for replays of others, which may take longer than expected.
        return 0 < self.processes <= self.others


@dataclass(frozen=True, slots=True)
class _Line:
    # number and seconds are of the front of one payer's line, before_* of the own line, busy of all that
    # runs, others of what runs for others.
    payer: int
    number: int
    seconds: float
    before_first: int
    before_last: int
    busy: float
    others: int


def forecast(
    *, payer: str, verifications: QuerySet[Any, Any], hardware_class: str, processes: int | None = None
) -> Forecast | None:
    # Each payer in front gets as many turns as this one needs, and those behind get one less. Two owners of
    # one replay both count it, so the real wait may be shorter. processes None counts the workers'.
    # `verifications` gives their keys.
    chosen, parameters = verifications.query.sql_with_params()
    given = [payer, hardware_class, *parameters]
    [(owner, first, last, waits, runs, longest)] = read_rows(_OWN.format(chosen), given)
    if owner is None:
        return None
    lines = _lines(hardware_class, owner, first, last) if waits else []
    if processes is None:
        processes = able_runners(hardware_class).aggregate(number=Sum("processes"))["number"] or 0
    number, before = _ahead(lines, owner, lines[0].before_first if lines else 0)
    _, until_last = _ahead(lines, owner, lines[0].before_last if lines else 0)
    busy = lines[0].busy / 2 if lines else 0.0  # running replays are expected to be half done
    return Forecast(
        position=number + 1 if lines else None,
        waiting=waits,
        running=runs,
        processes=processes,
        seconds_to_start=(busy + before) / processes if lines and processes else None,
        seconds_to_end=(busy + until_last) / processes + longest if processes else None,
        others=lines[0].others if lines else 0,
    )


def forecast_of_new(*, payer: str, number: int, seconds: float, hardware_class: str) -> Forecast:
    # They would stand at the end of the payer's line.
    owner = Payer.objects.filter(name=payer).values_list("pk", flat=True).first()
    lines = _lines(hardware_class, owner or 0, _LAST_ID, _LAST_ID, more=number)
    processes = able_runners(hardware_class).aggregate(number=Sum("processes"))["number"] or 0
    own = lines[0].before_last if lines else 0
    before, until_first = _ahead(lines, owner or 0, own)
    _, until_last = _ahead(lines, owner or 0, own + number - 1)
    busy, each = (lines[0].busy / 2 if lines else 0.0), seconds / number
    return Forecast(
        position=before + 1,
        waiting=number,
        running=0,
        processes=processes,
        seconds_to_start=(busy + until_first) / processes if processes else None,
        seconds_to_end=(busy + until_last + seconds - each) / processes + each if processes else None,
        others=lines[0].others if lines else 0,
    )


def next_in_turn(hardware_class: str, number: int) -> list[uuid.UUID]:
    # Each payer's first comes before anybody's second. A payer whose budget is used up may come later.
    rows = read_rows(_NEXT, {"hardware_class": hardware_class, "number": number})
    return list(dict.fromkeys(pk for (pk,) in rows))


def _lines(hardware_class: str, payer: int, first: int, last: int, *, more: int = 1) -> list[_Line]:
    numbers = {"payer": payer, "first": first, "last": last, "more": more}
    return [_Line(*row) for row in read_rows(_LINES, {"hardware_class": hardware_class, **numbers})]


def _ahead(lines: Sequence[_Line], payer: int, own: int) -> tuple[int, float]:
    # The replays before the one that own others of its line precede: their number and seconds.
    number, seconds, in_front = 0, 0.0, True
    for line in lines:
        turns = min(line.number, own if line.payer == payer else own + in_front)
        in_front = in_front and line.payer != payer
        number += turns
        seconds += turns * line.seconds / line.number
    return number, seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    payers: int
    seconds: float


def loads() -> dict[str, Load]:
    rows = Demand.objects.filter(waiting=True).order_by().values("hardware_class")
    found = rows.annotate(payers=Count("payer", distinct=True), total=Sum("seconds"))
    return {row["hardware_class"]: Load(payers=row["payers"], seconds=row["total"]) for row in found}
