"""Finding datasets and benchmarks by name: in the wheel, in plug-ins, and in the user's site-data folder.

Datasets outside of these folders are registered: ranges of computed benchmarks, and files of a folder. A
dataset that is not here may be on the server of ``$OPTARENA_URL``.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, ClassVar, Final
from urllib.parse import quote

from optarena import limits, paths
from optarena.datasets import dataset as dataset_module
from optarena.datasets.dataset import (
    MANIFEST_NAME,
    BaseDataset,
    Dataset,
    RandomState,
    random_generator,
    random_index,
    require_text,
    uri_within,
)
from optarena.datasets.manifest import DEPRECATED_NAME
from optarena.datasets.parametric import ParametricDataset
from optarena.datasets.remote import elsewhere
from optarena.deprecation import OptArenaDeprecationWarning
from optarena.documents.texts import escape_surrogates, is_printable
from optarena.errors import InvalidDocument, InvalidInput, UnknownName
from optarena.specs import (
    EnvironmentSpec,
    ProgramFormat,
    board_specs,
    environment_spec,
    environment_specs,
    program_formats,
    unknown_name,
)
from optarena.specs.benchmark import (
    DEFAULT_SCHEME,
    FILE_SCHEME,
    VERSIONED_NAME,
    Benchmark,
    BenchmarkUri,
    Kind,
)
from optarena.specs.environment import load

if TYPE_CHECKING:
    Elsewhere = Callable[[str, Sequence[str]], BaseDataset]


USER_DATASET: Final = "user-v0"  # The dataset of benchmarks made in a process and known only there


_LONGEST_NAME: Final = 255  # The most bytes that a folder's name may have


class Datasets:
    """All datasets below some folders; a dataset of an earlier folder hides its namesake in a later one.

    Deprecated datasets are found by name, with a warning, but neither listed nor counted.

    Args:
        roots: Folders that hold one folder for each dataset, named as the dataset.
        computed: Datasets outside of these folders; they hide their namesakes in folders.
        elsewhere: Called with a name that is not here and the names that are; returns the dataset or raises.
    """

    def __init__(
        self, roots: Sequence[Path], computed: Iterable[BaseDataset] = (), elsewhere: Elsewhere | None = None
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

    def __repr__(self) -> str:
        return f"Datasets({', '.join(self.names)})"

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
        require_text(uri)
        for computed in self._computed.values():
            if isinstance(computed, ParametricDataset) and computed.claims(uri):
                return computed.benchmark(uri)  # its error says more than the grammar's
        try:
            parsed = BenchmarkUri.parse(uri)
        except InvalidInput as error:
            if files and (PurePath(uri).suffix in _OF_PROGRAMS or uri.startswith(_OF_PATHS)):
                raise _not_a_uri(uri) from error
            raise
        if parsed.scheme == FILE_SCHEME:
            if not files:
                message = f"The benchmark {uri[:200]!r} is a local file, which is not allowed here."
                remedy = "Name a dataset's benchmark."
                raise InvalidInput(message, field="benchmark", value=uri, remedy=remedy)
            return Benchmark.from_file(parsed.path)
        if parsed.dataset == USER_DATASET:
            if (made := _made.get(str(parsed))) is None:
                message = f"The benchmark {str(parsed)!r} was not made by make_benchmark() in this process."
                remedy = "Make it again, or give a file."
                raise UnknownName(message, field="benchmark", value=str(parsed), remedy=remedy)
            return made
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
        state = random_generator(random_state)
        chosen = self._chosen(names)
        if not chosen:
            raise InvalidInput("There are no datasets to draw from.", field="names", remedy="Name some.")
        return [chosen[random_index(state, len(chosen))].random_benchmark(state) for _ in range(count)]

    def _chosen(self, names: Iterable[str] | None) -> list[BaseDataset]:
        if names is None:
            return [dataset for dataset in self if dataset.kind == Dataset.kind]
        if isinstance(names, str) or not isinstance(names, Iterable):
            message = f"names is {names!r:.100}."
            raise InvalidInput(message, field="names", value=names, remedy="Give a list of datasets' names.")
        return [self[name] for name in names]

    def _here(self) -> list[tuple[str, bool]]:
        found = {name: bool(dataset.deprecated) for name, dataset in self._computed.items()}
        for root in self._roots:
            for manifest in root.glob(f"*/{MANIFEST_NAME}"):
                folder = manifest.parent
                if not folder.name.startswith("."):  # still being installed
                    found.setdefault(folder.name, (folder / DEPRECATED_NAME).exists())
        return sorted(found.items())

    def _folder(self, name: str) -> Path | None:
        # A name may not lead out of the roots.
        if "/" in name or name.startswith(".") or not is_printable(name):
            return None
        if not 0 < len(name.encode()) <= _LONGEST_NAME:
            return None
        folders = (root / name for root in self._roots)
        return next((one for one in folders if (one / MANIFEST_NAME).exists()), None)

    def _plain(self, name: str) -> str:
        # A URI of another scheme than the dataset's stays as it is.
        scheme, separator, rest = name.partition("://")
        if not separator:
            return name.rstrip("/")
        rest = rest.rstrip("/")
        own: str = getattr(self._computed.get(rest), "scheme", DEFAULT_SCHEME)
        return rest if scheme == own else name

    @staticmethod
    def _warned(dataset: BaseDataset) -> BaseDataset:
        if dataset.deprecated:
            message = f"The dataset {dataset.name} is deprecated: {dataset.deprecated}"
            warnings.warn(message, OptArenaDeprecationWarning, stacklevel=3)
        return dataset


_OF_PROGRAMS: Final = frozenset({".bc", ".c", ".cc", ".cpp", ".cxx", ".i", ".ii", ".ll", ".o"})
_OF_PATHS: Final = ("/", "./", "../", "~")


def _not_a_uri(text: str) -> InvalidInput:
    path = text.removeprefix(f"{FILE_SCHEME}://")
    message = f"The benchmark {text[:200]!r} is a file's name, and not a URI."
    remedy = f"In a command, write --program {path[:200]}; in Python, call make_benchmark({path[:200]!r})."
    if path.startswith("/") and path.endswith((".bc", ".ll")):
        remedy += f" The URI of the file is '{FILE_SCHEME}://{path[:200]}'."
    return InvalidInput(message, field="benchmark", value=text, remedy=remedy)


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


_KEPT: Final = 64
_LONGEST_PATTERN: Final = 200
# Characters other than letters and digits that are not percent-encoded in a URI's path.
_IN_PATHS: Final = "/.+@=,~-_"


class FilesDataset(BaseDataset):
    """The programs and sources below a folder, such as ``.bc`` and ``.c`` files, in the order of their URIs.

    Each is a benchmark ``benchmark://files-v0/sub/program.c``: the file's path inside the folder, with
    percent-encoding where necessary (``my%20program.bc``). The folder is listed once, now. A file is read, or
    compiled by the ``make_benchmark`` of its format, when its benchmark is requested; the last 64 are kept in
    memory. There are no workloads and no baselines; costs are computed when they are needed. Two datasets of
    the same files, with the same arguments, are equal.

    Args:
        folder: Where the files are; symbolic links to folders are not followed.
        name: Name of the dataset, with version.
        pattern: As for ``fnmatch``, for the path inside the folder: ``src/*.c``. ``*`` matches slashes too;
            at most 200 characters.
        title: One line for people.
        description: A paragraph for people.
        licence: SPDX identifier of the files.
        copt: Further flags for the ``.c`` files, as for that ``make_benchmark``: ``["-DN=3"]``. A
            relative path in them is relative to the working directory at the time of compiling.
        environment: Slug of the environment that uses them, if the dataset is registered.

    Raises:
        InvalidInput: There is no such folder, part of it cannot be read, it has no such file, a path is too
            long, or an argument cannot be used.
    """

    kind: ClassVar[Kind] = "stored"

    def __init__(  # noqa: PLR0913 # all but the folder by keyword
        self,
        folder: Path | str,
        name: str = "files-v0",
        *,
        pattern: str = "*",
        title: str = "",
        description: str = "",
        licence: str = "NOASSERTION",
        copt: Sequence[str] = (),
        environment: str = "",
    ) -> None:
        if not isinstance(name, str) or not VERSIONED_NAME.fullmatch(name) or name == USER_DATASET:
            remedy = "Give lower-case words that end in the version: 'files-v0'."
            message = f"The dataset cannot be named {name!r:.80}."
            raise InvalidInput(message, field="name", value=name, remedy=remedy)
        texts = {"pattern": pattern, "title": title, "description": description, "licence": licence}
        for field, text in {**texts, "environment": environment}.items():
            if not isinstance(text, str):
                message = f"{field} is {text!r:.100}."
                raise InvalidInput(message, field=field, value=text, remedy="Give a text.")
        if len(pattern) > _LONGEST_PATTERN:  # fnmatch takes the square of its length
            message, remedy = f"pattern has {len(pattern)} characters.", f"Give at most {_LONGEST_PATTERN}."
            raise InvalidInput(message, field="pattern", value=pattern[:100], remedy=remedy)
        self.folder = _folder(folder)
        self.name = name
        self.title = title or escape_surrogates(f"Files of {self.folder.name}")
        self.description = description or escape_surrogates(f"The modules and C sources below {self.folder}.")
        self.licence = licence
        self.environment = environment
        self._copt = _flags(copt)
        self._paths = dict(sorted((self._uri(path), path) for path in _files_listed(self.folder, pattern)))
        self._uris = list(self._paths)
        self._said = (self.name, self.title, self.description, licence, environment, self._copt)
        self._made: dict[str, Benchmark] = {}
        if not self._paths:
            *most, last = _formats()
            kinds = f"{', '.join(most)} or {last} file"
            below = escape_surrogates(str(self.folder))
            message = f"There is no {kinds} below {below} that matches {pattern!r:.100}."
            raise InvalidInput(message, field="folder", value=str(folder), remedy="Name another folder.")

    def __len__(self) -> int:
        return len(self._uris)

    def __contains__(self, uri: object) -> bool:
        try:
            return isinstance(uri, str) and str(uri_within(self.name, uri)) in self._paths
        except InvalidInput:
            return False

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FilesDataset):
            return NotImplemented
        return (self._said, self._paths) == (other._said, other._paths)

    def __hash__(self) -> int:
        return hash((self._said, len(self)))

    def __repr__(self) -> str:
        return f"<FilesDataset {self.name}: {len(self)} files of {self.folder}>"

    def uris(self) -> Iterator[str]:
        """The URIs of all benchmarks; this reads and compiles nothing."""
        return iter(self._uris)

    def benchmark_at(self, index: int) -> Benchmark:
        """As in ``BaseDataset``; raises what ``benchmark`` raises for the file."""
        return self._benchmark(self._uris[index])

    def benchmark(self, uri: str) -> Benchmark:
        """The benchmark with this URI, or with this path inside the dataset (``sub/program.c``).

        Raises:
            UnknownName: There is no such benchmark; the message names near matches.
            InvalidInput: It is neither a URI nor a path; or the file cannot be read, or does not compile.
            ToolMissing: The file is a source, and there is no clang.
        """
        full = str(uri_within(self.name, require_text(uri)))
        if full not in self._paths:
            raise unknown_name("benchmark", full, self._uris)
        return self._benchmark(full)

    def _benchmark(self, uri: str) -> Benchmark:
        made = self._made.get(uri)
        if made is None:
            made = self._made.setdefault(uri, self._read(uri, self._paths[uri]))
            for oldest in list(self._made)[:-_KEPT]:
                self._made.pop(oldest, None)
        return made

    def _read(self, uri: str, path: Path) -> Benchmark:
        made_by = _formats()[path.suffix].make_benchmark
        if made_by:
            with unremembered():
                made: Benchmark = load(made_by)(path, copt=self._copt)
        else:
            made = Benchmark.from_file(path)
        name = uri.removeprefix(f"{DEFAULT_SCHEME}://{self.name}/")
        return replace(made, uri=uri, name=name, title=path.name, licence=self.licence)

    def _uri(self, path: Path) -> str:
        inside = quote(os.fsencode(path.relative_to(self.folder)), safe=_IN_PATHS)
        uri = f"{DEFAULT_SCHEME}://{self.name}/{inside}"
        if len(uri) > limits.ANY_URI_LENGTH:
            too_long = f"is too long for a URI, which may have at most {limits.ANY_URI_LENGTH} characters."
            message = f"The path of {escape_surrogates(str(path))} {too_long}"
            remedy = "Name a folder further down, or shorten the path."
            raise InvalidInput(message, field="folder", value=str(path), remedy=remedy)
        return uri


def _formats() -> dict[str, ProgramFormat]:
    return {one.suffix: one for one in program_formats()}


def _flags(copt: object) -> tuple[str, ...]:
    if not isinstance(copt, (list, tuple)) or not all(map(_is_word, copt)):
        message, remedy = f"copt is {copt!r:.200}.", 'Give a list of flags: ["-DN=1"].'
        raise InvalidInput(message, field="copt", value=copt, remedy=remedy)
    for check in dict.fromkeys(one.check_flags for one in program_formats() if one.check_flags):
        load(check)(copt, "copt")
    return tuple(copt)


def _is_word(value: object) -> bool:
    try:
        return isinstance(value, str) and b"\0" not in os.fsencode(value)
    except UnicodeEncodeError:
        return False


def _folder(folder: object) -> Path:
    try:
        if isinstance(folder, (str, Path)) and b"\0" not in os.fsencode(folder):
            return Path(folder).expanduser().absolute()
        cause = None
    except (UnicodeEncodeError, RuntimeError) as error:
        cause = error
    message, remedy = f"folder is {folder!r:.100}.", "Give the path of a folder."
    raise InvalidInput(message, field="folder", value=folder, remedy=remedy) from cause


def _files_listed(folder: Path, pattern: str) -> list[Path]:
    # Without the recursion of os.walk, as folders may be nested deeply.
    found, places, suffixes = [], [folder], set(_formats())
    try:
        while places:
            with os.scandir(places.pop()) as entries:
                for entry in entries:
                    path = Path(entry.path)
                    if entry.is_dir(follow_symlinks=False):
                        places.append(path)
                    elif path.suffix in suffixes and path.is_file():
                        found.append(path)
    except OSError as error:
        remedy = "Name a folder that you may read."
        place = escape_surrogates(str(error.filename or folder))
        message = f"The folder {place} cannot be listed: {error.strerror}."
        raise InvalidInput(message, field="folder", value=str(folder), remedy=remedy) from error
    return [path for path in found if fnmatchcase(path.relative_to(folder).as_posix(), pattern)]


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
    known_folders, known = dataset_module.folders, dataset_module.computed
    known_folders += [one for one in dict.fromkeys(folders) if one not in known_folders]
    known += [one for one in dict.fromkeys(datasets) if one not in known]


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


def environment_of(dataset: str = "") -> EnvironmentSpec:
    """The environment to use for a dataset's benchmarks if none is named; empty for programs without one."""
    default = environment_spec(board_specs()[0].environment)
    candidates = environments_of(dataset)
    return default if default in candidates or not candidates else candidates[0]


@lru_cache(maxsize=4)
def _datasets(roots: tuple[Path, ...], computed: tuple[BaseDataset, ...]) -> Datasets:
    return Datasets(roots, computed, elsewhere)


def datasets() -> Datasets:
    """The datasets of this installation: the wheel's, plug-ins', then ``$OPTARENA_SITE_DATA/datasets``.

    If ``$OPTARENA_URL`` names a server, its datasets are found by name as well; they are not listed.
    """
    roots = (BUILTIN, *dataset_module.folders, paths.site_data() / "datasets")
    return _datasets(roots, tuple(dataset_module.computed))
