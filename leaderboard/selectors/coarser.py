"""The best entry of another board that decides less finely: what passes alone reach, as a reference."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leaderboard.models import Board, Standing
from leaderboard.ordering import BOARD_ORDER
from leaderboard.selectors.boards import ReferenceRow, reference_rows
from optarena.specs import environment_spec, environment_specs

if TYPE_CHECKING:
    from optarena.specs import EnvironmentSpec


def references(board: Board) -> list[ReferenceRow]:
    """All references of a board, best first: the compiler's own levels, and the best coarser entry."""
    found = reference_rows(board)
    coarser = _best_coarser_entry(board)
    return found if coarser is None else sorted([*found, coarser], key=lambda row: -row.score)


def _best_coarser_entry(board: Board) -> ReferenceRow | None:
    """The leader of the open boards that compare the same by actions of this board's first space alone.

    Their scores are comparable: dataset, metric, reference and device are the same. None where nobody leads
    such a board, or this one has a single action space too.
    """
    spec = environment_spec(board.environment_version.env_id)
    if not spec.ranks_further_tables or not board.exact:
        return None
    same = ("dataset_version_id", "metric", "baseline_level", "reference_metric", "benchmarks", "device")
    boards = Board.objects.filter(
        state=Board.State.OPEN,
        provisional=False,
        environment_version__env_id__in=_coarser(spec),
        **{name: getattr(board, name) for name in same},
    )
    rows = Standing.objects.filter(board__in=boards, leading=True).order_by(*BOARD_ORDER)
    best = rows.select_related("board", "submission__owner").first()
    if best is None or best.score is None or best.mean_improvement is None:
        return None
    return ReferenceRow(
        label=f"{best.submission.agent} by {best.submission.owner.username}",
        level="",
        score=best.score,
        mean_improvement=best.mean_improvement,
        total=best.total,
        board=best.board.slug,
        page=best.submission.get_absolute_url(),
    )


def _coarser(spec: EnvironmentSpec) -> list[str]:
    """The environments whose boards take only the actions of this one's first space."""
    name = spec.action_table.name
    return [
        one.slug
        for one in environment_specs()
        if one.boardable and not one.ranks_further_tables and one.action_table.name == name
    ]
