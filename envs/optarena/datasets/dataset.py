"""The interface of every dataset, and datasets of files: a manifest and the folder with its programs.

Some programs are packed: where a manifest names ``x.units``, there may be ``x.units.xz``. Sizes and hashes
are always those of the program itself, since packers may change.
"""

from __future__ import annotations

import errno
import lzma
import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final, TypeAlias, Union

from optarena import limits
from optarena.datasets.manifest import (
    MANIFEST_NAME,
    SPLITS,
    Manifest,
    ManifestBenchmark,
    deprecation_in,
    parse_manifest,
    read_plain,
)
from optarena.errors import InvalidInput, UnknownName
from optarena.specs import ProgramFormat, program_formats, unknown_name
from optarena.specs.benchmark import DEFAULT_SCHEME, Benchmark, BenchmarkUri, Kind

if TYPE_CHECKING:
    import numpy as np


RandomState: TypeAlias = Union[int, random.Random, "np.integer", "np.random.Generator", None]


class BaseDataset(ABC):
    """A versioned, ordered set of benchmarks.

    ``Dataset`` has those of a manifest, ``ParametricDataset`` computes them, ``FilesDataset`` makes them from
    a folder's files.

    Attributes:
        name: Name with version: ``kernels-v0``.
        title: One line for people.
        description: A paragraph for people.
        licence: SPDX identifier of the dataset as a whole.
        kind: Where its benchmarks come from.
        deprecated: Why it should no longer be used, and what to use instead; empty if it is not deprecated.
    """

    __slots__ = ()
    name: str
    title: str
    description: str
    licence: str
    kind: ClassVar[Kind]
    deprecated: str = ""

    @property
    def splits(self) -> tuple[str, ...]:
        """The splits that have benchmarks: ``train``, ``validation``, ``test``; often none."""
        return ()

    def split(self, name: str) -> Sequence[Benchmark]:
        """The benchmarks of a split (``train``, ``validation`` or ``test``), in their order.

        Raises:
            UnknownName: There is no such split; the message lists those that exist.
        """
        if name in self.splits:
            return tuple(one for one in self if one.split == name)
        if self.splits:
            raise unknown_name(f"split of {self.name}", name, self.splits)
        message, remedy = f"{self.name} is not split.", "Use all of its benchmarks, or select some yourself."
        raise UnknownName(message, field="split", value=name, remedy=remedy)

    @abstractmethod
    def __len__(self) -> int: ...

    @abstractmethod
    def __contains__(self, uri: object) -> bool:
        """Whether ``benchmark(uri)`` finds one."""

    @abstractmethod
    def benchmark_at(self, index: int) -> Benchmark:
        """The benchmark at this index, from 0; raises IndexError where the index is out of range."""

    @abstractmethod
    def benchmark(self, uri: str) -> Benchmark:
        """The benchmark with this URI, or with this path inside the dataset.

        Raises:
            UnknownName: There is no such benchmark.
            InvalidInput: It is neither a URI nor a path.
        """

    def __iter__(self) -> Iterator[Benchmark]:
        return map(self.benchmark_at, range(len(self)))

    def uris(self) -> Iterator[str]:
        """The URIs of its benchmarks, in order."""
        return (benchmark.uri for benchmark in self)

    def random_benchmark(self, random_state: RandomState = None) -> Benchmark:
        """A benchmark drawn at random, each with the same probability.

        Args:
            random_state: A generator of numpy or of ``random``, from which one number is drawn; or a seed,
                which gives the same benchmark every time; None for a new draw every time.

        Raises:
            InvalidInput: It is something else.
        """
        return self.benchmark_at(random_index(random_generator(random_state), len(self)))


def random_generator(random_state: RandomState) -> random.Random | np.random.Generator:
    """The source of random numbers: the given generator, or one made from a seed."""
    import numpy as np  # noqa: PLC0415 - listing datasets does not need it

    if isinstance(random_state, (random.Random, np.random.Generator)):
        return random_state
    seed = random_state.item() if isinstance(random_state, np.integer) else random_state
    if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int) or seed < 0):
        raise InvalidInput(
            f"random_state is {random_state!r:.100}.",
            field="random_state",
            value=random_state,
            remedy="Give a numpy.random.Generator, a random.Random, an integer of at least 0, or None.",
        )
    return np.random.default_rng(seed)


def random_index(state: random.Random | np.random.Generator, count: int) -> int:
    """A random number below ``count``."""
    return state.randrange(count) if isinstance(state, random.Random) else int(state.integers(count))


def uri_within(dataset: str, uri: str) -> BenchmarkUri:
    """The parsed form of a URI, or of a path inside a dataset."""
    uri = uri.strip(" ")
    path = uri.removeprefix(f"{dataset}/")
    return BenchmarkUri.parse(uri if "://" in uri else f"{DEFAULT_SCHEME}://{dataset}/{path}")


def require_text(uri: object) -> str:
    """A URI or path, which must be a text."""
    if isinstance(uri, str):
        return uri
    message = f"The benchmark is {uri!r:.200} ({type(uri).__name__})."
    raise InvalidInput(message, field="benchmark", value=uri, remedy="Give its URI as a text.")


def named_folder(place: Path | str, noun: str, field: str) -> Path:
    """The absolute path of a folder that the caller names."""
    try:
        return Path(place).expanduser().absolute()
    except (TypeError, RuntimeError) as error:  # not a path, or of a user without a home folder
        message, remedy = f"The {noun} is {place!r:.200}.", "Give the path of a folder."
        raise InvalidInput(message, field=field, value=place, remedy=remedy) from error


TEXT: Final = "text/plain; charset=utf-8"
BINARY: Final = "application/octet-stream"
_SUFFIXES: Final = {TEXT: ".txt", BINARY: ".bin"}


def media_type(program: bytes) -> str:
    """The media type of the format whose magic the program begins with, else text or binary."""
    for known in program_formats():
        if known.media_type and program.startswith(known.magics):
            return known.media_type
    try:
        text = program.decode()
    except UnicodeDecodeError:
        return BINARY
    return BINARY if "\0" in text else TEXT


def media_types() -> tuple[str, ...]:
    """All media types that ``media_type`` returns."""
    return (*(one.media_type for one in program_formats() if one.media_type), *_SUFFIXES)


def suffix_of(media: str) -> str:
    """The suffix of a file with a media type that ``media_type`` returns."""
    known = format_of(media)
    return known.suffix if known else _SUFFIXES.get(media, _SUFFIXES[BINARY])


def format_of(media: str) -> ProgramFormat | None:
    """The format of a media type; None for text, binary and types that no compiler here knows."""
    return next((one for one in program_formats() if one.media_type and one.media_type == media), None)


__all__ = ["MANIFEST_NAME", "Dataset"]

PACKED: Final = ".xz"
_MEMORY_BYTES: Final = 128 * 1024**2
_SHARED: Final = tuple(one.name for one in fields(Benchmark) if one.name not in {"load", "compiler"})


def pack(program: bytes) -> bytes:
    """The packed form of a program."""
    return lzma.compress(program, preset=6)


def read_program(path: Path, limit: int) -> bytes:
    """The content of a program's file, or of the packed one beside it; EFBIG if it exceeds the limit."""
    packed = path.with_name(f"{path.name}{PACKED}")
    if path.exists() or not packed.exists():
        return read_plain(path, limit)
    reader = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=_MEMORY_BYTES)
    try:
        # One byte more than allowed tells a program that is too long, without unpacking all of it.
        program = reader.decompress(read_plain(packed, limit + _HEADERS), max_length=limit + 1)
    except lzma.LZMAError as error:
        raise OSError(errno.EINVAL, f"it is not packed correctly ({error})", str(packed)) from error
    if len(program) > limit:
        raise OSError(errno.EFBIG, f"it has more than {limit} bytes", str(packed))
    if not reader.eof or reader.unused_data:
        raise OSError(errno.EINVAL, "it is cut off, or has something behind its end", str(packed))
    return program


_HEADERS: Final = 4096  # What packing may add to a program that does not become smaller


class Dataset(BaseDataset):
    """A versioned set of benchmarks: a checked manifest, and the folder with the programs' files."""

    kind: ClassVar[Kind] = "stored"

    def __init__(self, manifest: Manifest, folder: Path, deprecated: str = "") -> None:
        self.manifest = manifest
        self.folder = folder
        self.deprecated = deprecated
        self.name, self.title = manifest.dataset, manifest.title
        self.description, self.licence = manifest.description, manifest.licence

    @classmethod
    def from_folder(cls, folder: Path) -> Dataset:
        """The dataset whose ``manifest.json`` is in ``folder``.

        Raises:
            InvalidDocument: The manifest, or ``deprecated.json`` beside it, is malformed (all its problems
                are listed), or the latter cannot be read.
            OSError: The manifest cannot be read.
        """
        manifest = parse_manifest(read_plain(folder / MANIFEST_NAME, limits.MAX_MANIFEST_BYTES))
        return cls(manifest, folder, str(deprecation_in(folder) or ""))

    @property
    def splits(self) -> tuple[str, ...]:
        """As in ``BaseDataset``."""
        used = {entry.split for entry in self.manifest.benchmarks}
        return tuple(name for name in SPLITS if name in used)

    def __len__(self) -> int:
        return len(self._benchmarks)

    def __iter__(self) -> Iterator[Benchmark]:
        return iter(self._benchmarks.values())

    def __contains__(self, uri: object) -> bool:
        try:
            return isinstance(uri, str) and str(uri_within(self.name, uri)) in self._benchmarks
        except InvalidInput:
            return False

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}: {len(self)} benchmarks>"

    def benchmark_at(self, index: int) -> Benchmark:
        """As in ``BaseDataset``, in the order of the manifest."""
        return self._benchmarks[self.manifest.benchmarks[index].uri]

    def benchmark(self, uri: str) -> Benchmark:
        """As in ``BaseDataset``; an ``UnknownName`` names near matches."""
        full = str(uri_within(self.name, require_text(uri)))
        found = self._benchmarks.get(full)
        if found is None:
            raise unknown_name("benchmark", full, list(self._benchmarks))
        return found

    @cached_property
    def _benchmarks(self) -> dict[str, Benchmark]:
        return {entry.uri: self._benchmark(entry) for entry in self.manifest.benchmarks}

    def _benchmark(self, entry: ManifestBenchmark) -> Benchmark:
        values = {name: getattr(entry, name) for name in _SHARED}
        return Benchmark(**values, load=self._loader(entry))

    def _loader(self, entry: ManifestBenchmark) -> Callable[[], bytes]:
        # The function must be picklable, as benchmarks are.
        return partial(_program, self.folder / entry.file, entry.size_bytes)


def _program(path: Path, size_bytes: int) -> bytes:
    try:
        return read_program(path, size_bytes)
    except OSError as error:
        if error.errno != errno.EFBIG:
            raise
        message = (
            f"The program {path} is damaged: it has more than the {size_bytes} bytes that its manifest says."
        )
        remedy = "Install or load the dataset again."
        raise InvalidInput(message, field="size_bytes", value=size_bytes, remedy=remedy) from error


folders: Final[list[Path]] = []  # Folders with one folder for each stored dataset
# Datasets outside of these folders: ranges of computed benchmarks, and files.
computed: Final[list[BaseDataset]] = []
