"""A dataset: a manifest and the folder with its programs, some of them packed.

Where a manifest names ``x.units``, there may be ``x.units.xz``. Sizes and hashes are always those of the
program itself, since packers may change.
"""

from __future__ import annotations

import errno
import lzma
from dataclasses import fields
from functools import cached_property, partial
from typing import TYPE_CHECKING, ClassVar, Final

from optarena import limits
from optarena.datasets.base import BaseDataset, require_text, uri_within
from optarena.datasets.manifest import (
    MANIFEST_NAME,
    SPLITS,
    Manifest,
    ManifestBenchmark,
    deprecation_in,
    parse_manifest,
    read_plain,
)
from optarena.errors import InvalidInput
from optarena.specs import unknown_name
from optarena.specs.benchmark import Benchmark, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

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
