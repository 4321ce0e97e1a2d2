"""Creates and renews the boards of portable entries."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from django.db import transaction

from datasets.models import Benchmark, DatasetVersion
from leaderboard.models import PortableBoard, PortableEntry
from leaderboard.selectors.stored_actions import have_same_actions
from optarena.errors import InvalidInput, UnknownName
from optarena.specs import environment_spec, portable_board_specs
from runner.models import EnvironmentVersion
from runner.services import sync_environment_versions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from optarena.specs import PortableBoardSpec

_DESCRIBING = ("title", "description", "programs", "report_dataset", "report_split", "plausible_ratio")
"""What a board with entries may change: each entry keeps the programs that were drawn for it."""


def load_portable_boards(*, definitions: Sequence[PortableBoardSpec] | None = None) -> list[PortableBoard]:
    """Create the boards that are missing, and renew those that are described differently now.

    A board with entries whose comparison has changed is closed, under a slug with its environment's version;
    entries whose programs have not been drawn yet move to the new board if their actions mean the same there.

    Raises:
        InvalidInput: A dataset has no generated programs.
        UnknownName: A dataset is not loaded.
    """
    sync_environment_versions()
    wanted = portable_board_specs() if definitions is None else definitions
    return [_load(definition) for definition in wanted]


@transaction.atomic
def _load(definition: PortableBoardSpec) -> PortableBoard:
    spec = environment_spec(definition.environment)
    drawn_range(definition.dataset)
    version = EnvironmentVersion.objects.get(env_id=spec.slug, digest=spec.digest)
    compared = {
        "dataset": definition.dataset,
        "metric": definition.metric,
        "baseline_level": definition.baseline_level,
        "environment_version": version,
    }
    former = PortableBoard.objects.select_for_update(no_key=True).filter(slug=definition.slug).first()
    board = former or PortableBoard(slug=definition.slug)
    changed = former is not None and any(getattr(former, name) != value for name, value in compared.items())
    if former is not None and changed and former.entries.exists():
        _close(former)
        board = PortableBoard(slug=definition.slug)
    for name, value in compared.items():
        setattr(board, name, value)
    for name in _DESCRIBING:
        setattr(board, name, getattr(definition, name))
    board.save()
    if former is not None and _has_actions_of(version, former.environment_version):
        PortableEntry.objects.filter(board=former, drawn_at__isnull=True).update(board=board)
    return board


def _has_actions_of(version: EnvironmentVersion, former: EnvironmentVersion) -> bool:
    """Whether the numbers of actions mean the same in two versions, as far as their descriptions say."""
    is_same_environment = version.env_id == former.env_id
    return version == former or (is_same_environment and have_same_actions(version.spec, former.spec))


def drawn_range(dataset: str) -> Benchmark:
    """The range of a generated dataset from which programs are drawn.

    Raises:
        UnknownName: The dataset is not loaded.
        InvalidInput: Its programs are not generated.
    """
    version = DatasetVersion.objects.filter(name=dataset).first()
    if version is None:
        raise UnknownName(
            f"Dataset {dataset} is not loaded.",
            field="dataset",
            value=dataset,
            remedy=f"Run `manage.py load_dataset {dataset}` first.",
        )
    found = version.benchmarks.filter(kind=Benchmark.Kind.PARAMETRIC).first()
    if found is None or not found.is_generated:
        message = f"The programs of {dataset} are not generated, so anybody could have searched them."
        raise InvalidInput(message, field="dataset", value=dataset, remedy="Name a generated dataset.")
    return found


def _close(board: PortableBoard) -> None:
    slug = f"{board.slug}-{board.environment_version.digest[:8]}"
    names = itertools.chain([slug], (f"{slug}-{number}" for number in itertools.count(2)))
    board.slug = next(name for name in names if not PortableBoard.objects.filter(slug=name).exists())
    board.is_open = False
    board.save(update_fields=["slug", "is_open"])
