"""One benchmark: its URI, its program, its expected output, and its baselines.

A benchmark is data: its bytes are read on demand and always checked against their sha256. The grammar of URIs
is ``scheme://dataset-vN/path?params``, the scheme defaulting to ``benchmark``.
"""

from __future__ import annotations

import base64
import errno
import hashlib
import json
import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePosixPath
from types import NoneType
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import parse_qsl, quote, unquote, urlencode

from optarena import limits
from optarena.documents.texts import is_printable
from optarena.errors import InvalidInput

if TYPE_CHECKING:
    from optarena.actions import Action

DEFAULT_SCHEME: Final = "benchmark"
FILE_SCHEME: Final = "file"
GENERATOR_SCHEME: Final = "generator"
# The form of a new dataset's name. A version has one spelling: ``v01`` would be ``v1`` to a server.
VERSIONED_NAME: Final = re.compile(
    rf"(?P<family>[a-z0-9][a-z0-9_-]{{0,{limits.DATASET_FAMILY_LENGTH - 1}}})"
    rf"-v(?P<version>0|[1-9][0-9]{{0,{limits.DATASET_VERSION_DIGITS - 1}}})"
)
DATASET_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_.-]*-v[0-9]+")  # The form of a dataset's name that is read
# A server's benchmark has no path that ends so: its API has other addresses there.
RESERVED_NAMES: Final = ("bitcode", "results")
_FILE_NAME: Final = re.compile(r"(?=.{1,200}$)\w[\w.+-]*(/\w[\w.+-]*)*", re.ASCII)
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*")
_PATH: Final = re.compile(r"[A-Za-z0-9_.+@%=,~-]+(/[A-Za-z0-9_.+@%=,~-]+)*")
# How Python represents file names that are not valid text; see PEP 383.
_FILE_NAMES: Final = "surrogateescape"
_REMEDY: Final = "Write it as 'benchmark://dataset-vN/path', for example 'benchmark://kernels-v0/quicksort'."


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkUri:
    """A parsed URI; ``str()`` gives its canonical text.

    Attributes:
        scheme: ``benchmark``, ``generator`` or ``file``.
        dataset: Name with version, ``kernels-v0``; empty for files.
        path: Path inside the dataset, empty for the dataset itself; the absolute path for files.
        params: Query parameters in the order given.
    """

    scheme: str
    dataset: str
    path: str
    params: tuple[tuple[str, str], ...] = ()

    @classmethod
    def parse(cls, text: str) -> BenchmarkUri:
        """Parse a benchmark's or a dataset's URI.

        Raises:
            InvalidInput: The text does not follow the grammar.
        """
        if len(text) > limits.ANY_URI_LENGTH:
            raise _invalid(text, f"has {len(text)} characters, more than {limits.ANY_URI_LENGTH}")
        if not is_printable(text):
            raise _invalid(text, "must be one line of printable text")
        scheme, separator, rest = text.strip().partition("://")
        if not separator:
            scheme, rest = DEFAULT_SCHEME, scheme
        if not _SCHEME.fullmatch(scheme):
            raise _invalid(text, f"has an invalid scheme ({scheme!r})")
        if scheme == FILE_SCHEME:
            return cls(scheme=scheme, dataset="", path=_file_path(text, rest))
        location, _, query = rest.partition("?")
        dataset, slash, path = location.partition("/")
        if not DATASET_NAME.fullmatch(dataset):
            raise _invalid(text, f"does not name a dataset with its version ({dataset!r})")
        if slash and (not _PATH.fullmatch(path) or {".", ".."} & set(path.split("/"))):
            raise _invalid(text, f"has an invalid path ({path!r})")
        try:
            fields = (
                parse_qsl(query, keep_blank_values=True, strict_parsing=True, max_num_fields=20)
                if query
                else ()
            )
        except ValueError as error:
            raise _invalid(text, f"has malformed parameters ({error})") from error
        return cls(scheme=scheme, dataset=dataset, path=path, params=tuple(fields))

    @property
    def dataset_uri(self) -> str:
        """The URI of the dataset."""
        return f"{self.scheme}://{self.dataset}"

    def __str__(self) -> str:
        if self.scheme == FILE_SCHEME:
            return f"{FILE_SCHEME}://{quote(self.path, errors=_FILE_NAMES)}"
        path = f"/{self.path}" if self.path else ""
        query = f"?{urlencode(self.params)}" if self.params else ""
        return f"{self.dataset_uri}{path}{query}"


def _file_path(text: str, rest: str) -> str:
    path = unquote(rest, errors=_FILE_NAMES)
    if not path.startswith("/") or "\0" in path or path.endswith("/"):
        remedy = "Write it as 'file:///folder/program.bc'."
        raise _invalid(text, "must name a file by its absolute path", remedy)
    return str(Path(path))


def _invalid(text: str, what: str, remedy: str = _REMEDY) -> InvalidInput:
    message = f"The benchmark URI {text[:200]!r} {what}."
    return InvalidInput(message, field="benchmark", value=text, remedy=remedy)


ACTIONS_FORMAT_VERSION: Final = 1


def canonical_json(value: object) -> str:
    """``value`` as JSON with sorted keys and no spaces: equal values give equal text."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def canonical_actions(actions: Sequence[Action], action_space: str = "") -> str:
    """The canonical, versioned JSON of an action sequence; its hash is the sequence's identity.

    An action is a number, or a list of numbers where it has several components. The name of the action space
    is empty for the environment's first: the same numbers mean something else in each space.
    """
    plain = [
        [operator.index(part) for part in action] if isinstance(action, tuple) else operator.index(action)
        for action in actions
    ]
    named = {"action_space": action_space} if action_space else {}
    return canonical_json({"actions": plain, "version": ACTIONS_FORMAT_VERSION, **named})


def actions_digest(actions: Sequence[Action], action_space: str = "") -> str:
    """SHA-256 (hex) of ``canonical_actions``."""
    return hashlib.sha256(canonical_actions(actions, action_space).encode()).hexdigest()


Kind = Literal["stored", "parametric"]
Baselines = Mapping[str, Mapping[str, float]]


def is_argument(value: object) -> bool:
    """Whether this can be a program's argument: text without NUL that UTF-8 can encode."""
    if not isinstance(value, str) or "\0" in value:
        return False
    try:
        value.encode()
    except UnicodeEncodeError:  # a lone surrogate
        return False
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """One run of the program: its input and the expected result.

    Attributes:
        name: Unique in its benchmark.
        args: The program's arguments, without its name.
        stdin: The program's standard input.
        expected_stdout: The standard output it must produce.
        exit_code: The exit code it must end with.
        files: The files that it may read, by their path in the folder where it runs: ``{"a.txt": b"one"}``.

    Raises:
        InvalidInput: One of them has the wrong type.
    """

    name: str
    args: tuple[str, ...] = ()
    stdin: bytes = b""
    expected_stdout: bytes = b""
    exit_code: int = 0
    files: Mapping[str, bytes] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if not isinstance(self.args, tuple) or not all(map(is_argument, self.args)):
            raise _no_workload("args", self.args, "a tuple of texts that UTF-8 can encode, without NUL")
        for name, kind in (("name", str), ("stdin", bytes), ("expected_stdout", bytes), ("exit_code", int)):
            if not isinstance(getattr(self, name), kind):
                raise _no_workload(name, getattr(self, name), f"a value of type {kind.__name__}")
        if not isinstance(self.files, Mapping) or not all(
            isinstance(content, bytes) for content in self.files.values()
        ):
            raise _no_workload("files", self.files, 'the content of each file as bytes: {"a.txt": b"one"}')
        if problem := files_problem(self.files):
            raise _no_workload("files", list(self.files), problem)


def files_problem(files: Mapping[str, bytes]) -> str:
    """What the files of a workload must be if they are not; empty if they are."""
    if len(files) > limits.MAX_WORKLOAD_FILES:
        return f"at most {limits.MAX_WORKLOAD_FILES} files; these are {len(files)}"
    for name in files:
        if not isinstance(name, str) or not _FILE_NAME.fullmatch(name):
            return f"paths below the program's folder, such as data/a.txt, instead of {name!r:.100}"
    folders = {str(folder) for name in files for folder in PurePosixPath(name).parents}
    if both := next((name for name in files if name in folders), None):
        return f"either a file or a folder of the name {both}"
    if (size := sum(map(len, files.values()))) > limits.WORKLOAD_FILES_BYTES:
        return f"at most {limits.WORKLOAD_FILES_BYTES} bytes of files; these have {size}"
    return ""


def workloads_digest(workloads: Iterable[Workload]) -> str:
    """SHA-256 (hex) of what workloads demand of a program: names, inputs and expected results.

    It is part of a replay's identity. Their order does not count; long texts enter as their own sha256.
    """
    demands = [
        {
            "name": one.name,
            "args": list(one.args),
            "stdin": hashlib.sha256(one.stdin).hexdigest(),
            "expected_stdout": hashlib.sha256(one.expected_stdout).hexdigest(),
            "exit_code": one.exit_code,
            **({"files": _file_digests(one.files)} if one.files else {}),
        }
        for one in sorted(workloads, key=lambda one: one.name)
    ]
    return hashlib.sha256(canonical_json({"version": 1, "workloads": demands}).encode()).hexdigest()


def encoded_files(files: Mapping[str, bytes]) -> dict[str, str]:
    """A workload's files as JSON data, their content in base 64."""
    return {name: base64.b64encode(content).decode() for name, content in files.items()}


def decoded_files(files: Mapping[str, str]) -> dict[str, bytes]:
    """What ``encoded_files`` was given; ``ValueError`` if a text is not base 64."""
    return {name: base64.b64decode(content, validate=True) for name, content in files.items()}


def _file_digests(files: Mapping[str, bytes]) -> dict[str, str]:
    return {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}


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
        sha256: SHA-256 of the program's bytes, hex.
        size_bytes: Length of the program.
        baselines: Metric name -> level (``O0`` is the program as given) -> value; empty where unknown.
        workloads: Runs that must give the recorded output; empty where the program cannot run.
        load: Returns the program's bytes.
        description: A paragraph for people.
        language: Source language.
        run_seconds: Time of all workloads of the unoptimised program, in seconds, where known.
        split: ``train``, ``validation`` or ``test``; empty where the dataset is not split.
        tags: Words that characterise the program: ``floating-point``.
        source: Where the program comes from, as JSON data: ``package``, ``version``, ``purl``, ``files``.
        compiler: Makes the file of a program in this compiler's format, as the command line says that the
            benchmark was made from; None for others.
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
    workloads: tuple[Workload, ...] = field(default=(), repr=False)
    load: Callable[[], bytes] = field(repr=False, compare=False)
    description: str = ""
    language: str = ""
    run_seconds: float = 0.0
    split: str = ""
    tags: tuple[str, ...] = ()
    source: Mapping[str, Any] = field(default_factory=dict, hash=False, repr=False)
    compiler: Callable[[bytes, Path | None, float], Path] | None = field(
        default=None, repr=False, compare=False
    )

    def program(self) -> bytes:
        """The program's bytes, in its compiler's format, checked against ``sha256``.

        Raises:
            InvalidInput: The bytes do not match ``sha256``.
            OSError: They cannot be read.
        """
        data = self.load()
        actual = hashlib.sha256(data).hexdigest()
        if actual != self.sha256:
            message = f"The program of {self.uri} is damaged: its sha256 is {actual}, not {self.sha256}."
            remedy = "Install or load the dataset again."
            raise InvalidInput(message, field="sha256", value=actual, remedy=remedy)
        return data

    def compile(
        self,
        env: Any,  # noqa: ANN401 # gymnasium.Env, which is above this module
        output: Path | str | None = None,
        *,
        timeout: float = limits.COMPILE_SECONDS,
    ) -> Path:
        """Write the program that an episode has come to, linked as the command line of this benchmark says.

        Args:
            env: The environment, whose episode is on this benchmark.
            output: The file to write; else the one that the command line names. The path is relative to the
                folder in which the benchmark was made.
            timeout: The most seconds that this may take.

        Returns:
            The path of the file.

        Raises:
            InvalidInput: The benchmark was not made from a command line, or that makes no program; its folder
                is gone; the episode is on another benchmark; output or timeout is of a wrong kind; the
                program cannot be linked, and the linker says why.
            ToolMissing: The compiler was not found.
            ResetNeeded: There was no episode yet.
        """
        if self.compiler is None:
            message = f"{self.uri} was not made from the command line of a compiler."
            remedy = 'Make it from one: make_benchmark("cc -O2 a.c -o a -lm").'
            raise InvalidInput(message, field="benchmark", value=self.uri, remedy=remedy)
        if not isinstance(output, (str, Path, NoneType)):
            message, remedy = f"output is {output!r:.100}.", "Give the path of a file, or None."
            raise InvalidInput(message, field="output", value=output, remedy=remedy)
        live = env.unwrapped
        if live.benchmark.uri != self.uri:
            message = f"The episode is on {live.benchmark.uri}, and not on {self.uri}."
            remedy = 'Reset the environment with options={"benchmark": benchmark}.'
            raise InvalidInput(message, field="env", value=live.benchmark.uri, remedy=remedy)
        return self.compiler(live.observation["Bitcode"], None if output is None else Path(output), timeout)

    @property
    def workloads_sha256(self) -> str:
        """The ``workloads_digest`` of its workloads."""
        return workloads_digest(self.workloads)

    def baseline(self, metric: str, level: str) -> float | None:
        """The recorded value of ``metric`` at ``level``, None where unknown."""
        return self.baselines.get(metric, {}).get(level)

    @classmethod
    def from_bytes(cls, uri: str, data: bytes, *, baselines: Baselines | None = None) -> Benchmark:
        """A benchmark from bytes in memory, without workloads.

        Raises:
            InvalidInput: The program is empty, or larger than a benchmark may be.
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
    def computed(  # noqa: PLR0913 # all by keyword
        cls, uri: str, *, title: str, description: str, domain: str, language: str, licence: str
    ) -> Benchmark:
        """A member of a computed range. Its canonical URI identifies it and is also its program."""
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
        """A benchmark from a program's file, such as ``.bc`` or ``.ll``; the file is read now.

        Raises:
            InvalidInput: The file does not exist, is empty or is too large.
        """
        location = Path(path).absolute()
        uri = str(BenchmarkUri(scheme=FILE_SCHEME, dataset="", path=str(location)))
        try:
            data = _read_file(location)
        except OSError as error:
            message = f"The benchmark file {location} cannot be read: {error.strerror}."
            remedy = "Give the path of a program's file."
            raise InvalidInput(message, field="benchmark", value=str(location), remedy=remedy) from error
        return cls.from_bytes(uri, data)


def _read_file(path: Path) -> bytes:
    # Up to one byte above the limit; a pipe might never end.
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "it is not a regular file")
    with path.open("rb") as file:
        return file.read(limits.MAX_BENCHMARK_BYTES + 1)


def _no_workload(name: str, value: object, wanted: str) -> InvalidInput:
    message = f"The workload's {name} is {value!r:.200} ({type(value).__name__})."
    return InvalidInput(message, field=f"workloads.{name}", value=value, remedy=f"Give {wanted}.")
