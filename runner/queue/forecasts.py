"""When queued verifications probably start and end: a read, from the order of turns and expected durations.

It is a forecast: replays may take longer or be asked for meanwhile, and workers may come and go.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.db import connection
from django.db.models import Count, Max, Min, Q, Sum

from runner.models import Demand, Payer
from runner.selectors import able_runners

if TYPE_CHECKING:
    import uuid
    from collections.abc import Mapping, Sequence

    from django.db.models import QuerySet

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
    own = Demand.objects.filter(
        payer__name=payer, hardware_class=hardware_class, verification__in=verifications
    ).aggregate(
        owner=Min("payer"),
        first=Min("id", filter=Q(waiting=True)),
        last=Max("id", filter=Q(waiting=True)),
        waits=Count("id", filter=Q(waiting=True)),
        runs=Count("id", filter=Q(waiting=False)),
        longest=Max("seconds"),
    )
    if own["owner"] is None:
        return None
    lines = _lines(hardware_class, own) if own["waits"] else []
    if processes is None:
        processes = able_runners(hardware_class).aggregate(number=Sum("processes"))["number"] or 0
    number, before = _ahead(lines, own["owner"], lines[0].before_first if lines else 0)
    _, until_last = _ahead(lines, own["owner"], lines[0].before_last if lines else 0)
    busy = lines[0].busy / 2 if lines else 0.0  # running replays are expected to be half done
    return Forecast(
        position=number + 1 if lines else None,
        waiting=own["waits"],
        running=own["runs"],
        processes=processes,
        seconds_to_start=(busy + before) / processes if lines and processes else None,
        seconds_to_end=(busy + until_last) / processes + own["longest"] if processes else None,
        others=lines[0].others if lines else 0,
    )


def forecast_of_new(*, payer: str, number: int, seconds: float, hardware_class: str) -> Forecast:
    # They would stand at the end of the payer's line.
    owner = Payer.objects.filter(name=payer).values_list("pk", flat=True).first()
    lines = _lines(hardware_class, {"first": _LAST_ID, "last": _LAST_ID, "owner": owner or 0, "more": number})
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
    with connection.cursor() as cursor:
        cursor.execute(_NEXT, {"hardware_class": hardware_class, "number": number})
        return list(dict.fromkeys(pk for (pk,) in cursor.fetchall()))


def _lines(hardware_class: str, own: Mapping[str, Any]) -> list[_Line]:
    given = {"first": own["first"], "last": own["last"], "payer": own["owner"], "more": own.get("more", 1)}
    with connection.cursor() as cursor:
        cursor.execute(_LINES, {"hardware_class": hardware_class, **given})
        return [_Line(*row) for row in cursor.fetchall()]


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
