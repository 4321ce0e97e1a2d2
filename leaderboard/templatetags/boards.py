"""Names of boards and replays on pages, and tags that ask a selector."""

from __future__ import annotations

import bisect
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any, Final

from django import template
from django.contrib import admin
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import Model
from django.template.context import Context
from django.template.defaultfilters import pluralize
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString, mark_safe

from datasets.models import Benchmark
from datasets.site.charts import (
    Histogram,
    ReferenceLine,
    RooflineChart,
    StepChart,
    for_screens,
    histogram,
    roofline_chart,
    step_chart,
)
from leaderboard.boards.queries import (
    Against,
    ReferenceRow,
    VirtualBest,
    against_reference,
    compared,
    reference_name,
)
from leaderboard.boards.standings import why_without_rank
from leaderboard.common.addresses import agent_address, person_address
from leaderboard.models import (
    Board,
    EntryFigures,
    PortableBoard,
    PortableEntry,
    Submission,
    SubmissionItem,
    benchmark_name,
)
from leaderboard.play import queries as play_queries
from leaderboard.play.queries import Move
from leaderboard.portable.queries import portable_metric
from leaderboard.records import queries as record_queries
from leaderboard.records.queries import BenchmarkResults, may_read_actions, why_closed
from leaderboard.records.rooflines import MeasuredRoofline, rooflines
from leaderboard.submissions import queries as submission_queries
from leaderboard.submissions.steps import Fold
from optarena.specs import BoardSpec, board_specs
from optarena.specs.benchmark import BenchmarkUri
from optarena.specs.rewards import level_text
from optarena.studies import TextPart
from runner.models import Verification
from runner.selectors import live_runners

if TYPE_CHECKING:
    from leaderboard.compare.queries import Column


register = template.Library()
register.filter("closed_to", why_closed)
register.filter("person_page", person_address)
register.filter("play_address", play_queries.play_address)
register.filter("play_from", play_queries.address_from)
register.filter("results", record_queries.benchmark_results)
register.filter("why", why_without_rank)
register.filter("yardstick", reference_name)
register.filter(rooflines)
register.simple_tag(submission_queries.tally, name="tally")
_WARM: Final = (1e-9, 0.01, 0.05, 0.2)
"""Distances from the reference that have colours of their own; a greater one has the last."""


@register.filter
def move_buttons(moves: Sequence[Move]) -> SafeString:
    # A loop in a template takes four times as long, and each new state has a hundred.
    return mark_safe("".join(map(_move_button, moves)))  # noqa: S308 - texts are escaped


def _move_button(move: Move) -> str:
    key = f'data-key="{move.key}" ' if move.key else ""
    inside = f"<kbd>{move.key}</kbd>" if move.key else ""
    inside += f"<code>{escape(move.name)}</code>"
    if move.gain is not None:
        tone = "better" if move.gain > 0 else "worse" if move.gain < 0 else "even"
        inside += f'<span class="{tone}">{move.gain_text}</span>'
    if move.summary:
        inside += f"<small>{escape(move.summary)}</small>"
    number = escape(move.number)
    named = f'id="pick-{number}" name="pick" value="{number}" {key}title="{escape(move.description)}"'
    return f"  <li><button {named}>{inside}</button></li>\n"


@register.filter
def part_options(parts: Sequence[TextPart], shown: TextPart) -> SafeString:
    # A loop in a template takes longer, and a program has dozens of parts.
    return mark_safe("".join(_part_option(one, is_shown=one.name == shown.name) for one in parts))  # noqa: S308 - texts are escaped


def _part_option(one: TextPart, *, is_shown: bool) -> str:
    name = escape(one.name)
    changes = f", changed: −{one.removed:,} +{one.added:,}" if one.changed else ""  # noqa: RUF001 - a minus sign
    selected = " selected" if is_shown else ""
    return f'<option value="{name}"{selected}>{name or "outside of functions"}{changes}</option>'


@register.filter
def against(one: EntryFigures | ReferenceRow | Column | None, board: Board) -> SafeString:
    """What has a score, compared with the board's reference in words and colour; empty without a score."""
    found = against_reference(board, one)
    return _coloured(found, found.text) if found else SafeString()


@register.filter
def against_briefly(one: EntryFigures | ReferenceRow | None, board: Board) -> SafeString:
    """The same without the name of the reference, where a heading says it."""
    found = against_reference(board, one)
    return _coloured(found, found.short) if found else SafeString()


@register.filter
def portable_against(entry: PortableEntry, board: PortableBoard) -> SafeString:
    """As `against`; the interval is that of the mean over all programs that could be drawn."""
    if entry.score is None:
        return SafeString()
    metric, level = portable_metric(board), level_text(board.baseline_level)
    found = compared(entry.score, entry.interval(board.programs), metric=metric, reference=level)
    return _coloured(found, found.text) if found else SafeString()


def _coloured(found: Against, text: str) -> SafeString:
    return format_html('<span class="{}">{}</span>', found.tone, text)


def reference_line(board: Board) -> ReferenceLine:
    """A board's reference in a chart of scores."""
    return ReferenceLine(1.0, reference_name(board).removeprefix("the "))


@register.filter
def gap(standing: EntryFigures, best: VirtualBest | None) -> float | None:
    """The share by which a score is below that of the virtual best."""
    return None if best is None else best.gap(standing.score)


@register.filter
def contribution(standing: EntryFigures, best: VirtualBest | None) -> float | None:
    """The share by which the virtual best would be lower without an entry's finds."""
    return None if best is None else best.contribution(standing.submission_id)


@register.filter
def warmth(ratio: float | None) -> str:
    """The class that colours a ratio in a heat map: below, equal to or above the reference."""
    if ratio is None:
        return "heat-none"
    step = bisect.bisect_left(_WARM, abs(ratio - 1))
    return f"heat-{'up' if ratio > 1 else 'down'}-{step}" if step else "heat-even"


@register.filter
def replayed(verification: Verification) -> str:
    return benchmark_name(verification.benchmark, verification.benchmark_uri)


@register.filter
def benchmark_page(uri: str) -> str:
    parsed = BenchmarkUri.parse(uri)
    return reverse("datasets:benchmark", args=[parsed.dataset, parsed.path])


@register.filter
def at(columns: Sequence[object], place: int) -> object:
    return columns[place]


@register.filter
def agent_page(submission: Submission) -> str:
    return agent_address(submission.owner.username, submission.agent)


@register.filter
def step_charts(found: BenchmarkResults) -> dict[str, StepChart]:
    now = timezone.now()
    return for_screens(
        lambda width: step_chart(found.history, until=now, width=width, level=reference_line(found.board))
    )


@register.filter
def distribution_charts(found: BenchmarkResults) -> dict[str, Histogram]:
    return for_screens(lambda width: histogram(found.bins, width=width))


@register.filter
def roofline_charts(found: MeasuredRoofline) -> dict[str, RooflineChart]:
    """Empty without operations, since the chart shows how many a launch does in a second."""
    work, speeds = found.work, found.speeds
    if not work.flops:
        return {}
    values = [
        (one.computing * speeds.flops_per_second, f"{one.label}: {one.microseconds:,.1f} µs")
        for one in found.launches
    ]
    return for_screens(
        lambda width: roofline_chart(
            values,
            intensity=work.flops / work.moved_bytes,
            slope=speeds.bytes_per_second,
            flat=speeds.flops_per_second,
            width=width,
        )
    )


@register.filter
def detail_for(item: SubmissionItem, viewer: User | AnonymousUser) -> str:
    """What a verdict's detail says; empty for those who may not read the actions, which it may name."""
    return item.detail if may_read_actions(item, viewer) else ""


@register.filter
def play_page(uri: str, benchmark: Benchmark) -> str:
    # Empty where no environment plays it.
    version = benchmark.version
    specs = [] if benchmark.is_generated else play_queries.playable(version)
    if not any(play_queries.is_looked_at(spec, version.name) for spec in specs):
        return ""
    return play_queries.play_address(uri)


@register.simple_tag
def marked_lines(fold: Fold) -> SafeString:
    # A loop in a template takes many times as long.
    drawn = (f'<span class="{kind}">{line}\n</span>' for kind, line in fold.lines)
    return mark_safe("".join(drawn))  # noqa: S308 - kinds are ours, and lines are escaped


@register.simple_tag(takes_context=True)
def waiting_for_staff(context: Context) -> list[tuple[str, str]]:
    """What waits for the staff's decision, as text and address; only what this user may see."""
    quarantined = {"verdict__exact": SubmissionItem.Verdict.QUARANTINED}
    doubted = {"is_doubted": True, "is_accepted__isnull": True}
    doubted |= {"ended_at__isnull": False, "withdrawn_at__isnull": True}
    kinds: tuple[tuple[type[Model], str, dict[str, Any]], ...] = (
        (SubmissionItem, "quarantined item,quarantined items", quarantined),
        (PortableEntry, "quarantined portable entry,quarantined portable entries", doubted),
    )
    found = []
    for model, texts, chosen in kinds:
        shown = admin.site.get_model_admin(model)
        if shown.has_view_permission(context["request"]):
            number = shown.get_queryset(context["request"]).filter(**chosen).count()
            address = reverse(f"admin:{shown.opts.app_label}_{shown.opts.model_name}_changelist")
            found.append((number, texts, f"{address}?{urlencode(chosen)}"))
    paused = live_runners().filter(paused_at__isnull=False).count()
    found.append((paused, "paused runner,paused runners", reverse("leaderboard:runners")))
    return [
        (f"{intcomma(number)} {pluralize(number, texts)}", address)
        for number, texts, address in found
        if number
    ]


@register.simple_tag
def usual_board() -> BoardSpec | None:
    """The first board of this installation, for examples on pages that are not about a board."""
    return next(iter(board_specs()), None)
