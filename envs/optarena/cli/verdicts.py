"""How commands print a submission: verdicts with their reasons, score, and rank or why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from optarena.cli.boards import rank_of
from optarena.cli.console import number, output, places, plain, styled, table
from optarena.specs.claims import CONSISTENT

if TYPE_CHECKING:
    from collections.abc import Sequence

Json = dict[str, Any]


def print_verdicts(submission: Json, items: Sequence[Json]) -> None:
    """Print the table of the items, each reason once below it, and the line of the submission."""
    table(
        ("item", "benchmark", "verdict", "measured", "ratio", "reason"),
        (
            (
                item["position"],
                plain(item["benchmark"]),
                styled(item["verdict"]),
                number(item["value"]),
                "" if item["ratio"] is None else f"{item['ratio']:.4f}",
                "; ".join(filter(None, [plain((item["reason"] or {}).get("id", "")), *_claims(item)])),
            )
            for item in items
        ),
        numbers=("item", "measured", "ratio"),
    )
    _print_reasons(items)
    output().print(summary(submission))


def summary(submission: Json) -> str:
    """One line: the state, the score, and the rank or the reason why there is none."""
    if submission["score"] is None:
        score = f"no score, {submission.get('coverage') or 0:.0%} of the board's benchmarks"
    else:
        score = f"score {submission['score']:.4f}"
    where = f"on {plain(submission['board'])}"
    if submission["rank"] is None:
        why = submission.get("unranked") or ""
        rank = f"unranked {where}" + (f": {plain(why)}" if why else "")
    else:
        rank = f"rank {rank_of(submission)} {where}"
    return f"{styled(submission['state'])}: {score}, {rank}"


def _print_reasons(items: Sequence[Json]) -> None:
    """Each reason once, with the items that have it."""
    by_reason: dict[str, list[int]] = {}
    for item in items:
        if item["reason"]:
            by_reason.setdefault(_reason(item["reason"]), []).append(item["position"])
    for reason, positions in by_reason.items():
        output().print(f"{places('item', positions)}: {reason}")


def _claims(item: Json) -> list[str]:
    """Remarks on claims that are better than what was measured."""
    found = item.get("claim_status") or {}
    return [
        f"the claim of {plain(name)} is {plain(status)}"
        for name, status in found.items()
        if status != CONSISTENT
    ]


def _reason(reason: Json) -> str:
    detail = f" {reason['detail']}" if reason["detail"] else ""
    return plain(f"{reason['id']}: {reason['meaning']}{detail} {reason['remedy']}")
