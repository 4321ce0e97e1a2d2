"""Finding datasets and benchmarks by name: in the wheel, in plug-ins, and in the user's site-data folder.

Ranges of computed benchmarks lie in no folder: they are this package's own, or registered by plug-ins.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from optarena import paths
from optarena.datasets.base import checked_uri
from optarena.datasets.benchmark import Benchmark
from optarena.datasets.dataset import MANIFEST_NAME, Dataset
from optarena.datasets.uri import DEFAULT_SCHEME, FILE_SCHEME, BenchmarkUri
from optarena.errors import InvalidDocument, InvalidInput, UnknownName
from optarena.specs import environment_specs, unknown_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from optarena.datasets.base import BaseDataset
    from optarena.datasets.parametric import ParametricDataset
    from optarena.specs import EnvironmentSpec

BUILTIN: Final = Path(__file__).parent / "builtin"
USER_DATASET: Final = "user-v0"
"""The dataset of the benchmarks that are made in a process and known there alone."""


class Datasets:
    """All datasets below some folders; a dataset of an earlier folder hides its namesake in a later one.

    Args:
        roots: Folders that hold one folder for each dataset, named as the dataset.
        computed: Datasets that lie in no folder; they hide their namesakes in folders.
    """

    def __init__(self, roots: Sequence[Path], computed: Iterable[ParametricDataset] = ()) -> None:
        self._computed = {dataset.name: dataset for dataset in computed}
        self._folders: dict[str, Path] = {}
        for root in roots:
            for manifest in sorted(root.glob(f"*/{MANIFEST_NAME}")):
                self._folders.setdefault(manifest.parent.name, manifest.parent)
        self._loaded: dict[str, Dataset] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all datasets, sorted."""
        return tuple(sorted({*self._folders, *self._computed}))

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[BaseDataset]:
        return (self[name] for name in self.names)

    def __contains__(self, name: object) -> bool:
        """Whether there is a dataset of this name or URI; its manifest is not read."""
        return isinstance(name, str) and _without_scheme(name) in {*self._folders, *self._computed}

    def __getitem__(self, name: str) -> BaseDataset:
        """The dataset of this name (``kernels-v0``) or URI (``benchmark://kernels-v0``).

        Raises:
            UnknownName: There is none; the message names near matches.
            InvalidInput: Its manifest cannot be read or is malformed; names the dataset and the file.
        """
        name = _without_scheme(name)
        if name in self._computed:
            return self._computed[name]
        if name not in self._folders:
            raise unknown_name("dataset", name, self.names)
        if name not in self._loaded:
            dataset = _loaded(name, self._folders[name])
            if dataset.name != name:
                message = f"The folder {self._folders[name]} holds the dataset {dataset.name}."
                raise InvalidInput(
                    message, field="dataset", value=name, remedy="Name the folder as the dataset."
                )
            self._loaded[name] = dataset
        return self._loaded[name]

    def benchmark(self, uri: str, *, files: bool = True) -> Benchmark:
        """The benchmark with this URI.

        Args:
            uri: ``benchmark://kernels-v0/quicksort``, ``kernels-v0/quicksort`` or ``file:///x.bc``.
            files: Whether files of this machine may be named.

        Raises:
            UnknownName: The dataset or the benchmark does not exist, or was made in another process.
            InvalidInput: The URI is malformed or no text, or names a file that cannot be used.
        """
        checked_uri(uri)
        for computed in self._computed.values():
            if computed.claims(uri):  # and says better than the grammar what may stand there
                return computed.benchmark(uri)
        parsed = BenchmarkUri.parse(uri)
        if parsed.scheme == FILE_SCHEME:
            if not files:
                message = f"The benchmark {uri[:200]!r} is a local file, which cannot be named here."
                raise InvalidInput(
                    message, field="benchmark", value=uri, remedy="Name a dataset's benchmark."
                )
            return Benchmark.from_file(parsed.path)
        if parsed.dataset == USER_DATASET:
            return _made_here(str(parsed))
        dataset = self[parsed.dataset]
        if not parsed.path:
            remedy = f"Add the path of a benchmark, for example {next(iter(dataset)).uri!r}."
            raise InvalidInput(f"{uri!r} names a whole dataset.", field="benchmark", value=uri, remedy=remedy)
        return dataset.benchmark(str(parsed))


def _without_scheme(name: str) -> str:
    return name.removeprefix(f"{DEFAULT_SCHEME}://").rstrip("/")


def _loaded(name: str, folder: Path) -> Dataset:
    try:
        return Dataset.from_folder(folder)
    except InvalidDocument as error:
        problem = error.message
    except OSError as error:
        problem = f"It cannot be read: {error.strerror}."
    path = folder / MANIFEST_NAME
    message = f"The dataset {name!r} cannot be used: {path}: {problem}"
    remedy = "Correct its manifest, or take its folder away."
    raise InvalidInput(message, field="dataset", value=name, remedy=remedy)


_made: Final[dict[str, Benchmark]] = {}


def remember(benchmark: Benchmark) -> None:
    """Have every ``Datasets`` of this process find a benchmark of ``USER_DATASET`` by its URI."""
    _made[benchmark.uri] = benchmark


def _made_here(uri: str) -> Benchmark:
    try:
        return _made[uri]
    except KeyError:
        message = f"The benchmark {uri!r} was not made by make_benchmark() in this process."
        raise UnknownName(
            message, field="benchmark", value=uri, remedy="Make it again, or give a file."
        ) from None


_OTHER_NAME: Final = "Give it another name; a change of what is in it needs a new version."
_registered: Final[list[Path]] = []
_registered_ranges: Final[list[ParametricDataset]] = []


def add_folder(folder: Path) -> None:
    """Have ``datasets()`` look for datasets in one more folder; ``optarena.register`` calls it.

    Raises:
        InvalidInput: As ``check_folder``.
    """
    check_folder(folder)
    if folder not in _registered:
        _registered.append(folder)


def check_folder(folder: Path) -> None:
    """Refuse what cannot hold datasets, or holds one that would not be found.

    Raises:
        InvalidInput: There is no such folder, or a range of benchmarks is called as one of its datasets.
    """
    if not folder.is_dir():
        remedy = "Name a folder that holds one folder for each dataset."
        message = f"dataset_folders: There is no folder {folder} with datasets."
        raise InvalidInput(message, field="dataset_folders", value=str(folder), remedy=remedy)
    for name in {one.name for one in (*_own_ranges(), *_registered_ranges)} & set(Datasets((folder,)).names):
        message = f"dataset_folders: Another dataset is called {name!r}, as one in {folder}."
        raise InvalidInput(message, field="dataset_folders", value=str(folder), remedy=_OTHER_NAME)


def add_range(dataset: ParametricDataset) -> None:
    """Have ``datasets()`` know one more range of benchmarks; ``optarena.register`` calls it.

    Raises:
        InvalidInput: As ``check_range``.
    """
    check_range(dataset)
    if dataset not in _registered_ranges:
        _registered_ranges.append(dataset)


def check_range(
    dataset: ParametricDataset, folders: Iterable[Path] = (), environments: Iterable[EnvironmentSpec] = ()
) -> None:
    """Refuse a range whose name is taken, or whose environment does not exist.

    Args:
        dataset: The range.
        folders: Where there are further datasets.
        environments: Environments that are not registered yet, and will be.

    Raises:
        InvalidInput: Its name is taken.
        UnknownName: Its environment does not exist; the message names near matches.
    """
    known = [str(spec.slug) for spec in (*environment_specs(), *environments)]
    if dataset.environment not in ("", *known):
        message = f"datasets: {dataset.name!r} is for {dataset.environment!r:.200}, which is no environment."
        remedy = unknown_name("environment", dataset.environment, known).remedy
        raise UnknownName(message, field="environment", value=dataset.environment, remedy=remedy)
    stored = Datasets((BUILTIN, *_registered, *folders))
    others = (one for one in (*_own_ranges(), *_registered_ranges) if one != dataset)
    if dataset.name in (USER_DATASET, *stored.names, *(one.name for one in others)):
        message = f"datasets: Another dataset is called {dataset.name!r}."
        raise InvalidInput(message, field="datasets", value=dataset.name, remedy=_OTHER_NAME)


def environments_of(dataset: str) -> tuple[EnvironmentSpec, ...]:
    """The environments that the benchmarks of a dataset are for, as far as that is known here."""
    ranges = (*_own_ranges(), *_registered_ranges)
    slugs = {one.environment for one in ranges if one.name == dataset}
    return tuple(spec for spec in environment_specs() if spec.dataset == dataset or spec.slug in slugs)


@lru_cache(maxsize=1)
def _own_ranges() -> tuple[ParametricDataset, ...]:
    # Imported late: each compiler's room describes its datasets with the classes of this one.
    from optarena.loop_tool.datasets import DATASETS  # noqa: PLC0415 - it is built on this package

    return DATASETS


@lru_cache(maxsize=4)
def _datasets(roots: tuple[Path, ...], computed: tuple[ParametricDataset, ...]) -> Datasets:
    return Datasets(roots, computed)


def datasets() -> Datasets:
    """The datasets of this installation: the wheel's, plug-ins', then ``$OPTARENA_SITE_DATA/datasets``."""
    roots = (BUILTIN, *_registered, paths.site_data() / "datasets")
    return _datasets(roots, (*_own_ranges(), *_registered_ranges))
