"""Creates and renews the boards of this server."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from django.conf import settings
from django.db import transaction

from datasets.models import DatasetVersion
from leaderboard.models import Board
from leaderboard.services.comparisons import check_comparison, metric_of
from optarena import limits
from optarena.errors import UnknownName
from optarena.specs import BoardSpec, board_specs, environment_spec, portable_board_specs
from runner.models import EnvironmentVersion
from runner.services import sync_environment_versions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_CHANGEABLE: Final = ("plausible_ratio", "provisional")
"""What an open board may change: the one applies to later verdicts, the other hides ranks."""


def board_definitions() -> tuple[BoardSpec, ...]:
    """The boards of this installation, each on the dataset that this server's settings give it."""
    return tuple(map(_on_own_programs, board_specs()))


def _on_own_programs(board: BoardSpec) -> BoardSpec:
    instead: dict[str, str] = settings.OPTARENA_BOARD_DATASETS
    return replace(board, dataset=instead.get(board.dataset, board.dataset))


def board_datasets() -> tuple[str, ...]:
    """The names of the datasets that the boards of this server compare or draw from, each once."""
    compared = [board.dataset for board in board_definitions()]
    drawn_from = [board.dataset for board in portable_board_specs()]
    return tuple(dict.fromkeys([*compared, *drawn_from]))


def load_boards(*, definitions: Sequence[BoardSpec] | None = None) -> list[Board]:
    """Create the boards that are missing; those that exist are left as they are.

    A board whose dataset, environment, benchmarks, metric or reference has changed is frozen under a slug
    that names its dataset if that has changed, else its environment's version. A new board takes its slug,
    or an earlier frozen one that compares the same. A board without submissions is changed in place.

    Args:
        definitions: The boards; those of this server if None.

    Raises:
        InvalidInput: Two boards have one slug, or a dataset lacks baselines that a board needs.
        UnknownName: A dataset is not loaded, or a metric does not exist.
    """
    sync_environment_versions()
    wanted = board_definitions() if definitions is None else definitions
    return [load_board(definition=definition) for definition in wanted]


@transaction.atomic
def load_board(*, definition: BoardSpec) -> Board:
    """Create or renew one board.

    Raises:
        InvalidInput: The dataset lacks benchmarks or baselines that the board needs.
        UnknownName: The dataset is not loaded, or the metric does not exist.
    """
    wanted = _wanted(definition)
    board = Board.objects.select_for_update(no_key=True).filter(slug=definition.slug).first()
    if board is not None and all(getattr(board, name) == value for name, value in wanted.items()):
        if any(getattr(board, name) != getattr(definition, name) for name in _CHANGEABLE):
            for name in _CHANGEABLE:
                setattr(board, name, getattr(definition, name))
            board.save(update_fields=_CHANGEABLE)
        return board
    if board is not None and board.submissions.exists():
        _retire(board, wanted)
        board = None
    board = _retired(definition.slug, wanted, instead=board) or board or Board(slug=definition.slug)
    board.title = definition.title
    board.description = definition.description
    for name in _CHANGEABLE:
        setattr(board, name, getattr(definition, name))
    for name, value in wanted.items():
        setattr(board, name, value)
    board.save()
    return board


def _wanted(definition: BoardSpec) -> dict[str, Any]:
    """The fields that make a board's results comparable: a change of one needs a new board."""
    spec = environment_spec(definition.environment)
    dataset = DatasetVersion.objects.filter(name=definition.dataset).first()
    if dataset is None:
        raise UnknownName(
            f"Dataset {definition.dataset} is not loaded.",
            field="dataset",
            value=definition.dataset,
            remedy=f"Run `manage.py load_dataset {definition.dataset}` first.",
        )
    metric = metric_of(spec, "metric", definition.metric)
    check_comparison(definition, spec, dataset)
    return {
        "dataset_version": dataset,
        "environment_version": EnvironmentVersion.objects.get(env_id=spec.slug, digest=spec.digest),
        "metric": metric.name,
        "exact": metric.exact,
        "baseline_level": definition.baseline_level,
        "reference_metric": definition.reference_metric,
        "benchmarks": list(definition.benchmarks),
        "device": definition.device,
    }


def _retire(board: Board, wanted: Mapping[str, Any]) -> None:
    digest = f"{board.slug}-{board.environment_version.digest[:8]}"
    named = f"{board.slug}-{board.dataset_version.name}"
    is_named = board.dataset_version != wanted["dataset_version"] and len(named) <= limits.RETIRED_SLUG_LENGTH
    slug = named if is_named else digest
    # Without a new version of either, something else has changed, and perhaps before now.
    names = itertools.chain([slug], (f"{slug}-{number}" for number in itertools.count(2)))
    board.slug = next(name for name in names if not Board.objects.filter(slug=name).exists())
    board.state = Board.State.FROZEN
    board.save(update_fields=["slug", "state"])


def _retired(slug: str, wanted: Mapping[str, Any], *, instead: Board | None) -> Board | None:
    """The frozen board of a slug that compares what is wanted, under that slug again; None if there is none.

    Args:
        slug: The slug.
        wanted: The fields that the board must have.
        instead: The board that has the slug now and no submission: it is deleted.
    """
    ends = (wanted["dataset_version"].name, wanted["environment_version"].digest[:8])
    name = re.compile(rf"{re.escape(slug)}-({'|'.join(map(re.escape, ends))})(-[0-9]+)?")
    rows = Board.objects.select_for_update(no_key=True).filter(**wanted, state=Board.State.FROZEN)
    found = next((row for row in rows.order_by("-pk") if name.fullmatch(row.slug)), None)
    if found is None:
        return None
    if instead is not None:
        instead.delete()
    found.slug, found.state = slug, Board.State.OPEN
    return found
