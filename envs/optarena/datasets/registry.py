"""Finding datasets and benchmarks by name: in the wheel, in plug-ins, and in the user's site-data folder.

Datasets outside of these folders are registered: ranges of computed benchmarks, and others. A dataset that is
not here may be on the server of ``$OPTARENA_URL``.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from optarena import paths
from optarena.datasets import dataset as dataset_module
from optarena.datasets.collection import USER_DATASET, Datasets, remember
from optarena.datasets.remote import elsewhere
from optarena.errors import InvalidInput, UnknownName
from optarena.specs import environment_specs, unknown_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from optarena.datasets.base import BaseDataset
    from optarena.specs import EnvironmentSpec

__all__ = [
    "BUILTIN",
    "USER_DATASET",
    "Datasets",
    "add",
    "check_dataset",
    "check_folder",
    "datasets",
    "environments_of",
    "remember",
]

BUILTIN: Final = Path(__file__).parent / "builtin"
_OTHER_NAME: Final = "Give it another name. If its content has changed, give it a new version."


def check_folder(folder: Path) -> None:
    """Refuse a folder that cannot hold datasets, or holds one that would not be found."""
    if not folder.is_dir():
        remedy = "Name a folder that holds one folder for each dataset."
        message = f"dataset_folders: There is no folder {folder} with datasets."
        raise InvalidInput(message, field="dataset_folders", value=str(folder), remedy=remedy)
    for name in {one.name for one in dataset_module.computed} & _names_in(folder):
        message = f"dataset_folders: Another dataset is named {name!r}, like one in {folder}."
        raise InvalidInput(message, field="dataset_folders", value=str(folder), remedy=_OTHER_NAME)


def add(folders: Iterable[Path], datasets: Iterable[BaseDataset]) -> None:
    """Make checked folders and datasets known to ``datasets()``; ``optarena.register`` calls it."""
    for known, given in ((dataset_module.folders, folders), (dataset_module.computed, datasets)):
        known += [one for one in dict.fromkeys(given) if one not in known]


def check_dataset(
    dataset: BaseDataset, folders: Iterable[Path], environments: Iterable[EnvironmentSpec]
) -> None:
    """Refuse a dataset whose name is taken, or whose environment does not exist."""
    known = [str(spec.slug) for spec in (*environment_specs(), *environments)]
    environment = next((one for one in environments_named(dataset) if one not in known), "")
    if environment:
        message = f"datasets: {dataset.name!r} is for {environment!r:.200}, which is not an environment."
        remedy = unknown_name("environment", environment, known).remedy
        raise UnknownName(message, field="environment", value=environment, remedy=remedy)
    others = (one.name for one in dataset_module.computed if one != dataset)
    if dataset.name in (USER_DATASET, *_names_in(BUILTIN, *dataset_module.folders, *folders), *others):
        message = f"datasets: Another dataset is named {dataset.name!r}."
        raise InvalidInput(message, field="datasets", value=dataset.name, remedy=_OTHER_NAME)


def _names_in(*folders: Path) -> set[str]:
    known = Datasets(folders)
    return {*known.names, *known.deprecated}


def environments_named(dataset: BaseDataset) -> tuple[str, ...]:
    """Slugs of the environments that a dataset says it is for."""
    slugs = (getattr(dataset, "environment", ""), *getattr(dataset, "further_environments", ()))
    return tuple(filter(None, slugs))


def environments_of(dataset: str) -> tuple[EnvironmentSpec, ...]:
    """The environments that the benchmarks of a dataset are for, as far as known here."""
    slugs = {
        slug for one in dataset_module.computed if one.name == dataset for slug in environments_named(one)
    }
    return tuple(
        spec
        for spec in environment_specs()
        if dataset in (spec.dataset, *spec.further_datasets) or spec.slug in slugs
    )


@lru_cache(maxsize=4)
def _datasets(roots: tuple[Path, ...], computed: tuple[BaseDataset, ...]) -> Datasets:
    return Datasets(roots, computed, elsewhere)


def datasets() -> Datasets:
    """The datasets of this installation: the wheel's, plug-ins', then ``$OPTARENA_SITE_DATA/datasets``.

    If ``$OPTARENA_URL`` names a server, its datasets are found by name as well; they are not listed.
    """
    roots = (BUILTIN, *dataset_module.folders, paths.site_data() / "datasets")
    return _datasets(roots, tuple(dataset_module.computed))
