"""The boards this server offers, and how they come into being."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.db import transaction

from datasets.models import DatasetVersion
from leaderboard.models import Board
from optarena.errors import UnknownName
from optarena.specs import environment_spec
from runner.models import EnvironmentVersion
from runner.services import sync_environment_versions

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardDefinition:
    """What a board compares."""

    slug: str
    title: str
    description: str
    dataset: str
    environment: str
    metric: str
    baseline_level: str


BOARDS: Final = (
    BoardDefinition(
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


def load_boards(*, definitions: Sequence[BoardDefinition] = BOARDS) -> list[Board]:
    """Create the boards that are missing; those that exist are left as they are.

    A board whose environment has changed since is frozen under a slug that names its version, and a new
    one takes its place; without any submission it simply moves on.

    Raises:
        UnknownName: A dataset is not loaded, or a metric does not exist.
    """
    sync_environment_versions()
    return [load_board(definition=definition) for definition in definitions]


@transaction.atomic
def load_board(*, definition: BoardDefinition) -> Board:
    """Create or renew one board.

    Raises:
        UnknownName: The dataset is not loaded, or the metric does not exist.
    """
    dataset, environment, exact = _parts(definition)
    board = Board.objects.select_for_update(no_key=True).filter(slug=definition.slug).first()
    if board is not None and _same(board, dataset, environment):
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
    board.save()
    return board


def _parts(definition: BoardDefinition) -> tuple[DatasetVersion, EnvironmentVersion, bool]:
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
    version = EnvironmentVersion.objects.get(env_id=spec.slug, digest=spec.digest)
    return dataset, version, metric.exact


def _same(board: Board, dataset: DatasetVersion, environment: EnvironmentVersion) -> bool:
    return board.dataset_version_id == dataset.pk and board.environment_version_id == environment.pk


def _retire(board: Board) -> None:
    board.slug = f"{board.slug}-{board.environment_version.digest[:8]}"
    board.state = Board.State.FROZEN
    board.save(update_fields=["slug", "state"])
