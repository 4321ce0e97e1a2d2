"""One benchmark: a program, what it should print, and what the standard pipelines make of it.

A benchmark is data. Its bytes are read on demand and always checked against their sha256; nothing here
parses a program or runs one.
"""

from __future__ import annotations

import errno
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal

from optarena import limits
from optarena.errors import InvalidInput
from optarena.specs.uri import FILE_SCHEME, BenchmarkUri

Kind = Literal["stored", "parametric"]
Baselines = Mapping[str, Mapping[str, float]]


def is_argument(value: object) -> bool:
    """Whether a program can be given this as an argument: a text without NUL that UTF-8 can hold."""
    if not isinstance(value, str) or "\0" in value:
        return False
    try:
        value.encode()
    except UnicodeEncodeError:  # half a character
        return False
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """One run of the program: what it is given and what it must answer.

    Attributes:
        name: Unique in its benchmark.
        args: What the program is called with, without its name.
        stdin: What it can read.
        expected_stdout: What it must print.
        exit_code: What it must end with.

    Raises:
        InvalidInput: One of them is of another type.
    """

    name: str
    args: tuple[str, ...] = ()
    stdin: bytes = b""
    expected_stdout: bytes = b""
    exit_code: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.args, tuple) or not all(map(is_argument, self.args)):
            raise _no_workload("args", self.args, "a tuple of texts, without NUL and of whole characters")
        for name, kind in (("name", str), ("stdin", bytes), ("expected_stdout", bytes), ("exit_code", int)):
            if not isinstance(getattr(self, name), kind):
                raise _no_workload(name, getattr(self, name), f"of type {kind.__name__}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Benchmark:
    """A program to optimise.

    Attributes:
        uri: Canonical URI.
        name: Name inside its dataset.
        title: One line for people.
        domain: What the program does: ``sorting``.
        licence: SPDX identifier.
        kind: ``stored`` (bytes kept somewhere) or ``parametric`` (a member of a computed range).
        sha256: Of the program's bytes, hex.
        size_bytes: Length of the program.
        baselines: Metric name -> level (``O0`` is the program as given) -> value; empty where unknown.
        workloads: Runs that must give the recorded output; empty where the program cannot run.
        load: Gives the program's bytes.
        description: A paragraph for people.
        language: Source language.
        run_seconds: Time of all workloads of the unoptimised program, in seconds, where known.
        split: ``train``, ``validation`` or ``test``; empty where the dataset is not split.
        tags: Words that tell programs apart: ``floating-point``.
        source: Where the program comes from, as JSON data: ``package``, ``version``, ``purl``, ``files``.
    """

    uri: str
    name: str
    title: str = ""
    domain: str = ""
    licence: str = ""
    kind: Kind = "stored"
    sha256: str
    size_bytes: int
    baselines: Baselines = field(default_factory=dict, hash=False)
    workloads: tuple[Workload, ...] = ()
    load: Callable[[], bytes] = field(repr=False, compare=False)
    description: str = ""
    language: str = ""
    run_seconds: float = 0.0
    split: str = ""
    tags: tuple[str, ...] = ()
    source: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def program(self) -> bytes:
        """The program's bytes, in the format that its compiler reads, as ``sha256`` promises them.

        Raises:
            InvalidInput: The bytes are not those that were promised.
            OSError: They cannot be read.
        """
        data = self.load()
        actual = hashlib.sha256(data).hexdigest()
        if actual != self.sha256:
            message = f"The program of {self.uri} is damaged: its sha256 is {actual}, not {self.sha256}."
            raise InvalidInput(
                message, field="sha256", value=actual, remedy="Install or load the dataset again."
            )
        return data

    def baseline(self, metric: str, level: str) -> float | None:
        """The recorded value of ``metric`` at ``level``, None where unknown."""
        return self.baselines.get(metric, {}).get(level)

    @classmethod
    def from_bytes(cls, uri: str, data: bytes, *, baselines: Baselines | None = None) -> Benchmark:
        """A benchmark of bytes in memory, without workloads.

        Raises:
            InvalidInput: No bytes, or more than a benchmark may have.
        """
        if not 0 < len(data) <= limits.MAX_BENCHMARK_BYTES:
            message = f"The program {uri} has {len(data)} bytes."
            remedy = f"Give between 1 and {limits.MAX_BENCHMARK_BYTES} bytes."
            raise InvalidInput(message, field="benchmark", value=uri, remedy=remedy)
        name = BenchmarkUri.parse(uri).path.rpartition("/")[2]
        return cls(
            uri=uri,
            name=name,
            sha256=hashlib.sha256(data).hexdigest(),
            size_bytes=len(data),
            baselines=baselines or {},
            load=partial(bytes, data),
        )

    @classmethod
    def computed(  # noqa: PLR0913 # what a benchmark says of itself, all by name
        cls, uri: str, *, title: str, description: str, domain: str, language: str, licence: str
    ) -> Benchmark:
        """A member of a computed range. Its canonical URI tells it, and is therefore its program too."""
        program = uri.encode()
        return cls(
            uri=uri,
            name=BenchmarkUri.parse(uri).path,
            title=title,
            description=description,
            domain=domain,
            language=language,
            licence=licence,
            kind="parametric",
            sha256=hashlib.sha256(program).hexdigest(),
            size_bytes=len(program),
            load=partial(bytes, program),
        )

    @classmethod
    def from_file(cls, path: Path | str) -> Benchmark:
        """A benchmark of a ``.bc`` or ``.ll`` file; the file is read now.

        Raises:
            InvalidInput: There is no such file, or it has no or too many bytes.
        """
        location = Path(path).absolute()
        uri = str(BenchmarkUri(scheme=FILE_SCHEME, dataset="", path=str(location)))
        try:
            data = _read_file(location)
        except OSError as error:
            message = f"The benchmark file {location} cannot be read: {error.strerror}."
            remedy = "Give the path of a .bc or .ll file."
            raise InvalidInput(message, field="benchmark", value=str(location), remedy=remedy) from error
        return cls.from_bytes(uri, data)


def _read_file(path: Path) -> bytes:
    """The content of a file, or a byte more than a benchmark may have; a pipe would never end.

    Raises:
        OSError: It cannot be read.
    """
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "it is not a regular file")
    with path.open("rb") as file:
        return file.read(limits.MAX_BENCHMARK_BYTES + 1)


def _no_workload(name: str, value: object, wanted: str) -> InvalidInput:
    message = f"A workload's {name} is {value!r:.200} ({type(value).__name__})."
    return InvalidInput(message, field=f"workloads.{name}", value=value, remedy=f"It must be {wanted}.")
