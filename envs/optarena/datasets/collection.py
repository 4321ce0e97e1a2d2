"""All known datasets: found by name, listed, and drawn from."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Final

from optarena.datasets.base import checked_uri, drawn, generator
from optarena.datasets.dataset import MANIFEST_NAME, Dataset
from optarena.datasets.deprecated import DEPRECATED_NAME, warn_of
from optarena.datasets.parametric import ParametricDataset
from optarena.documents.texts import is_printable
from optarena.errors import InvalidDocument, InvalidInput, UnknownName
from optarena.specs import unknown_name
from optarena.specs.benchmark import Benchmark
from optarena.specs.uri import DEFAULT_SCHEME, FILE_SCHEME, BenchmarkUri

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from optarena.datasets.base import BaseDataset, RandomState

    Elsewhere = Callable[[str, Sequence[str]], BaseDataset]

USER_DATASET: Final = "user-v0"
"""The dataset of benchmarks made in a process and known only there."""


_LONGEST_NAME: Final = 255
"""The most bytes that a folder's name may have."""


class Datasets:
    """All datasets below some folders; a dataset of an earlier folder hides its namesake in a later one.

    Deprecated datasets are found by name, with a warning, but neither listed nor counted.

    Args:
        roots: Folders that hold one folder for each dataset, named as the dataset.
        computed: Datasets outside of these folders; they hide their namesakes in folders.
        elsewhere: Called with a name that is not here and the names that are; returns the dataset or raises.
    """

    def __init__(
        self,
        roots: Sequence[Path],
        computed: Iterable[BaseDataset] = (),
        elsewhere: Elsewhere | None = None,
    ) -> None:
        self._roots = tuple(roots)
        self._computed = {dataset.name: dataset for dataset in computed}
        self._elsewhere = elsewhere
        self._loaded: dict[str, Dataset] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all datasets that are not deprecated, sorted."""
        return tuple(name for name, deprecated in self._here() if not deprecated)

    @property
    def deprecated(self) -> tuple[str, ...]:
        """The names of all deprecated datasets, sorted."""
        return tuple(name for name, deprecated in self._here() if deprecated)

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[BaseDataset]:
        return (self.find(name) for name in self.names)

    def __contains__(self, name: object) -> bool:
        """Whether there is a dataset of this name or URI here; no manifest is read and no server asked."""
        if not isinstance(name, str):
            return False
        plain = self._plain(name)
        return plain in self._computed or self._folder(plain) is not None

    def __getitem__(self, name: str) -> BaseDataset:
        """The dataset of this name (``kernels-v0``) or URI (``benchmark://kernels-v0``).

        Warns:
            OptArenaDeprecationWarning: It should no longer be used; the warning says what to use instead.

        Raises:
            UnknownName: There is no such dataset; the message names near matches.
            InvalidInput: Its manifest cannot be read or is malformed; the message names the dataset and the
                file.
            ClientError: It is not here, and the server of ``$OPTARENA_URL`` cannot be asked for it. If that
                cannot be reached, the error is an ``UnknownName`` too.
        """
        return self._warned(self.find(name))

    def find(self, name: str, *, elsewhere: bool = True) -> BaseDataset:
        """As ``[name]``, without a warning if it is deprecated; without ``elsewhere`` no server is asked."""
        if not isinstance(name, str):
            message = f"The dataset is {name!r:.100} ({type(name).__name__})."
            raise InvalidInput(message, field="dataset", value=name, remedy="Give its name as a text.")
        plain = self._plain(name)
        if plain in self._computed:
            return self._computed[plain]
        if plain in self._loaded:
            return self._loaded[plain]
        folder = self._folder(plain)
        if folder is not None:
            self._loaded[plain] = _loaded(plain, folder)
            return self._loaded[plain]
        known = [one for one, _ in self._here()]
        if self._elsewhere is None or not elsewhere:
            raise unknown_name("dataset", plain, known)
        return self._elsewhere(plain, known)

    def benchmark(self, uri: str, *, files: bool = True, elsewhere: bool = True) -> Benchmark:
        """The benchmark with this URI.

        Args:
            uri: ``benchmark://kernels-v0/quicksort``, ``kernels-v0/quicksort`` or ``file:///x.bc``.
            files: Whether files of this machine may be named.
            elsewhere: Whether a server may be asked for a dataset that is not on this machine.

        Raises:
            UnknownName: The dataset or the benchmark does not exist, or was made in another process.
            InvalidInput: The URI is malformed or not a text, or names a file that cannot be used.
            ClientError: The dataset is not here, and the server of ``$OPTARENA_URL`` cannot be asked for it.
        """
        checked_uri(uri)
        for computed in self._computed.values():
            if isinstance(computed, ParametricDataset) and computed.claims(uri):
                return computed.benchmark(uri)  # its error says more than the grammar's
        parsed = BenchmarkUri.parse(uri)
        if parsed.scheme == FILE_SCHEME:
            if not files:
                message = f"The benchmark {uri[:200]!r} is a local file, which is not allowed here."
                raise InvalidInput(
                    message, field="benchmark", value=uri, remedy="Name a dataset's benchmark."
                )
            return Benchmark.from_file(parsed.path)
        if parsed.dataset == USER_DATASET:
            return _made_here(str(parsed))
        dataset = self._warned(self.find(parsed.dataset, elsewhere=elsewhere))
        if not parsed.path:
            remedy = f"Add the path of a benchmark, for example {next(iter(dataset)).uri!r}."
            raise InvalidInput(f"{uri!r} names a whole dataset.", field="benchmark", value=uri, remedy=remedy)
        return dataset.benchmark(str(parsed))

    def benchmarks(self, names: Iterable[str] | None = None) -> Iterator[Benchmark]:
        """The benchmarks of all stored datasets, one dataset after another.

        Args:
            names: The datasets to use instead, in this order. Ranges are included only if named, as they are
                practically endless; their members are made one by one.

        Raises:
            UnknownName: One of the names is not a dataset.
            InvalidInput: ``names`` is not a list.
        """
        return (benchmark for dataset in self._chosen(names) for benchmark in dataset)

    def benchmark_uris(self, names: Iterable[str] | None = None) -> Iterator[str]:
        """The URIs of ``benchmarks()``, with the same arguments and errors."""
        return (uri for dataset in self._chosen(names) for uri in dataset.uris())

    def random_benchmark(
        self, random_state: RandomState = None, *, names: Iterable[str] | None = None
    ) -> Benchmark:
        """A random benchmark: first one of the datasets, each as likely, then one of its benchmarks.

        A small dataset's benchmarks are therefore drawn more often than those of a large one.

        Args:
            random_state: As for ``BaseDataset.random_benchmark``; two numbers are drawn.
            names: The datasets to draw from; all stored ones that are listed, if None. They include what an
                environment cannot use. Ranges are drawn from only if named.

        Raises:
            UnknownName: One of the names is not a dataset.
            InvalidInput: There is nothing to draw from, or ``random_state`` is something else.
            ToolMissing: The drawn dataset needs a generator that is missing on this machine.
        """
        return self.sample(1, random_state, names=names)[0]

    def sample(
        self, count: int, random_state: RandomState = None, *, names: Iterable[str] | None = None
    ) -> list[Benchmark]:
        """Several of ``random_benchmark()``; one may be drawn more than once.

        Raises:
            UnknownName, InvalidInput, ToolMissing: As for ``random_benchmark()``; or the count is negative.
        """
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            message, remedy = f"The count is {count!r:.100}.", "Give an integer of at least 0."
            raise InvalidInput(message, field="count", value=count, remedy=remedy)
        state = generator(random_state)
        chosen = self._chosen(names)
        if not chosen:
            raise InvalidInput("There are no datasets to draw from.", field="names", remedy="Name some.")
        return [chosen[drawn(state, len(chosen))].random_benchmark(state) for _ in range(count)]

    def _chosen(self, names: Iterable[str] | None) -> list[BaseDataset]:
        """The datasets with these names, or all that are stored."""
        if names is None:
            return [dataset for dataset in self if dataset.kind == Dataset.kind]
        return [self[name] for name in _listed(names)]

    def _here(self) -> list[tuple[str, bool]]:
        """Each dataset's name, and whether it is deprecated, with what has been installed meanwhile."""
        found = {name: bool(dataset.deprecated) for name, dataset in self._computed.items()}
        for root in self._roots:
            for manifest in root.glob(f"*/{MANIFEST_NAME}"):
                folder = manifest.parent
                if not folder.name.startswith("."):  # still being installed
                    found.setdefault(folder.name, (folder / DEPRECATED_NAME).exists())
        return sorted(found.items())

    def _folder(self, name: str) -> Path | None:
        """The folder of a dataset; a name may not lead out of the roots."""
        if "/" in name or name.startswith(".") or not is_printable(name):
            return None
        if not 0 < len(name.encode()) <= _LONGEST_NAME:
            return None
        folders = (root / name for root in self._roots)
        return next((one for one in folders if (one / MANIFEST_NAME).exists()), None)

    def _plain(self, name: str) -> str:
        """The name in a dataset's URI; a URI of another scheme than the dataset's stays as it is."""
        scheme, separator, rest = name.partition("://")
        if not separator:
            return name.rstrip("/")
        rest = rest.rstrip("/")
        own: str = getattr(self._computed.get(rest), "scheme", DEFAULT_SCHEME)
        return rest if scheme == own else name

    @staticmethod
    def _warned(dataset: BaseDataset) -> BaseDataset:
        if dataset.deprecated:
            warn_of(dataset.name, dataset.deprecated, stacklevel=2)
        return dataset


def _listed(names: Iterable[str]) -> list[str]:
    if isinstance(names, str) or not isinstance(names, Iterable):
        message = f"names is {names!r:.100}."
        raise InvalidInput(message, field="names", value=names, remedy="Give a list of datasets' names.")
    return list(names)


def _loaded(name: str, folder: Path) -> Dataset:
    path, remedy = folder / MANIFEST_NAME, "Correct its manifest, or remove its folder."
    try:
        dataset = Dataset.from_folder(folder)
    except InvalidDocument as error:
        problem = error.message
        if error.field.startswith(DEPRECATED_NAME):
            path, remedy = folder / DEPRECATED_NAME, "Correct this file, or remove it."
    except OSError as error:
        problem = f"The file cannot be read: {error.strerror}."
    else:
        if dataset.name == name:
            return dataset
        message = f"The folder {folder} holds the dataset {dataset.name}."
        raise InvalidInput(message, field="dataset", value=name, remedy="Give the folder the dataset's name.")
    message = f"The dataset {name!r} cannot be used: {path}: {problem}"
    raise InvalidInput(message, field="dataset", value=name, remedy=remedy)


_made: Final[dict[str, Benchmark]] = {}
_remembers: Final = ContextVar("_remembers", default=True)


def remember(benchmark: Benchmark) -> None:
    """Let every ``Datasets`` of this process find a benchmark of ``USER_DATASET`` by its URI."""
    if _remembers.get():
        _made[benchmark.uri] = benchmark


@contextmanager
def unremembered() -> Iterator[None]:
    """In the block, benchmarks are not remembered, as they will get another URI."""
    before = _remembers.set(False)
    try:
        yield
    finally:
        _remembers.reset(before)


def _made_here(uri: str) -> Benchmark:
    try:
        return _made[uri]
    except KeyError:
        message = f"The benchmark {uri!r} was not made by make_benchmark() in this process."
        raise UnknownName(
            message, field="benchmark", value=uri, remedy="Make it again, or give a file."
        ) from None
