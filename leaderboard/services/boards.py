"""The boards this server offers, and how they come into being."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import transaction

from datasets.models import DatasetVersion
from leaderboard.models import UNOPTIMISED_LEVEL, Board
from optarena.errors import InvalidInput, UnknownName
from optarena.specs import BoardSpec, board_specs, environment_spec
from runner.models import EnvironmentVersion
from runner.services import sync_environment_versions

if TYPE_CHECKING:
    from collections.abc import Sequence


BOARDS: Final = (
    BoardSpec(
        slug="llvm-ic",
        title="LLVM instruction count",
        description=(
            "Find the sequence of LLVM passes that leaves the fewest IR instructions, for each program of "
            "the dataset, without changing what the program prints. Compared with LLVM's own -Oz."
        ),
        dataset="kernels-v0",
        environment="llvm-ic-v0",
        metric="ir_instructions",
        baseline_level="Oz",
    ),
)


def board_definitions() -> tuple[BoardSpec, ...]:
    """The boards of this server: its own, and those that plug-ins have registered.

    Raises:
        InvalidInput: A plug-in's board is called as one of the server's own.
    """
    taken = {board.slug for board in BOARDS}
    for board in board_specs():
        if board.slug in taken:
            message = f"A plug-in registers a board {board.slug!r}, which this server has already."
            raise InvalidInput(message, field="slug", value=board.slug, remedy="Give it another slug.")
    return (*BOARDS, *board_specs())


def board_datasets() -> tuple[str, ...]:
    """The names of the datasets that the boards of this server compare, each once."""
    return tuple(dict.fromkeys(board.dataset for board in board_definitions()))


def load_boards(*, definitions: Sequence[BoardSpec] | None = None) -> list[Board]:
    """Create the boards that are missing; those that exist are left as they are.

    A board whose environment has changed since is frozen under a slug that names its version, and a new
    one takes its place; without any submission it simply moves on.

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
        InvalidInput: The dataset lacks baselines that the board needs.
        UnknownName: The dataset is not loaded, or the metric does not exist.
    """
    dataset, environment, exact = _parts(definition)
    board = Board.objects.select_for_update(no_key=True).filter(slug=definition.slug).first()
    if board is not None and _same(board, dataset, environment):
        if board.plausible_ratio != definition.plausible_ratio:  # holds for what is judged from now on
            board.plausible_ratio = definition.plausible_ratio
            board.save(update_fields=["plausible_ratio"])
        return board
    if board is not None and board.submissions.exists():
        _retire(board)
        board = None
    board = board or Board(slug=definition.slug)
    board.title = definition.title
    board.description = definition.description
    board.dataset_version = dataset
    board.environment_version = environment
    board.metric = definition.metric
    board.baseline_level = definition.baseline_level
    board.exact = exact
    board.plausible_ratio = definition.plausible_ratio
    board.save()
    return board


def _parts(definition: BoardSpec) -> tuple[DatasetVersion, EnvironmentVersion, bool]:
    spec = environment_spec(definition.environment)
    dataset = DatasetVersion.objects.filter(name=definition.dataset).first()
    if dataset is None:
        raise UnknownName(
            f"Dataset {definition.dataset} is not loaded.",
            field="dataset",
            value=definition.dataset,
            remedy=f"Run `manage.py load_dataset {definition.dataset}` first.",
        )
    metric = next((one for one in spec.metrics if one.name == definition.metric), None)
    if metric is None:
        raise UnknownName(
            f"Environment {spec.slug} has no metric {definition.metric}.",
            field="metric",
            value=definition.metric,
            remedy=f"Metrics: {', '.join(one.name for one in spec.metrics)}.",
        )
    _check_baselines(definition, dataset)
    version = EnvironmentVersion.objects.get(env_id=spec.slug, digest=spec.digest)
    return dataset, version, metric.exact


def _check_baselines(definition: BoardSpec, dataset: DatasetVersion) -> None:
    """A benchmark without the values that it is compared with could never be scored."""
    for level in (UNOPTIMISED_LEVEL, definition.baseline_level):
        there = dataset.benchmarks.filter(baselines__metric=definition.metric, baselines__level=level)
        lacking = dataset.benchmarks.filter(kind="stored").exclude(pk__in=there).order_by("position").first()
        if lacking is not None:
            raise InvalidInput(
                f"Board {definition.slug} compares {definition.metric} with level {level}, for which "
                f"{lacking.uri} has no baseline.",
                field="baseline_level",
                value=level,
                remedy="Add it to the dataset's manifest, as a new version, or choose another level.",
            )


def _same(board: Board, dataset: DatasetVersion, environment: EnvironmentVersion) -> bool:
    return board.dataset_version_id == dataset.pk and board.environment_version_id == environment.pk


def _retire(board: Board) -> None:
    board.slug = f"{board.slug}-{board.environment_version.digest[:8]}"
    board.state = Board.State.FROZEN
    board.save(update_fields=["slug", "state"])
