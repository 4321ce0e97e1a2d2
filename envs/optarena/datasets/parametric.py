"""Datasets whose benchmarks are computed from a number, and therefore not stored: ranges and generators.

Listing a dataset, and naming its members, makes nothing and needs no tool. A generated program is made when
it is needed, and kept in the cache folder.
"""

from __future__ import annotations

import base64
import hashlib
import importlib
import json
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, ClassVar, Final, cast

from optarena import limits, paths
from optarena.datasets.dataset import BaseDataset, require_text
from optarena.datasets.manifest import SCHEMA, digest_of
from optarena.datasets.store import ProgramStore
from optarena.documents.texts import is_printable
from optarena.errors import InvalidInput, OptArenaError, ToolMissing, UnknownName
from optarena.specs.benchmark import (
    DEFAULT_SCHEME,
    GENERATOR_SCHEME,
    VERSIONED_NAME,
    Benchmark,
    Kind,
    Workload,
    decoded_files,
    encoded_files,
)

MEMBER: Final = "{n}"  # The placeholder of the number in the URI of the range
MAX_PARAMETER: Final = 10**limits.PARAMETER_DIGITS - 1
_NUMBER: Final = re.compile(rf"0|[1-9][0-9]{{0,{limits.PARAMETER_DIGITS - 1}}}")
_TEXTS: Final = {
    "title": limits.DATASET_TITLE_LENGTH,
    "description": limits.DATASET_DESCRIPTION_LENGTH,
    "licence": limits.LICENCE_LENGTH,
    "domain": limits.DOMAIN_LENGTH,
    "language": limits.LANGUAGE_LENGTH,
}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class ParametricDataset(BaseDataset):
    """A range of benchmarks, each identified by its URI alone: ``benchmark://loops-v0/1024``.

    The program of a member is its URI. A member has no workloads and no recorded costs: its cost is measured
    on the machine that it runs on.

    Attributes:
        name: Name with version: ``loops-v0``.
        title: One line for people.
        description: A paragraph for people: what the number means.
        licence: SPDX identifier.
        domain: What kind of programs they are.
        language: What they are written in.
        low: The smallest number.
        high: The largest number, included.
        environment: Slug of the environment that uses them, where its own dataset is another one.
            It must be known when the dataset is registered.
        scheme: How the URIs of the dataset and of its members begin.

    Raises:
        InvalidInput: An attribute has the wrong type, is empty or too long, or the range has no members.
    """

    name: str
    title: str
    description: str
    licence: str
    domain: str
    language: str
    low: int
    high: int
    environment: str = ""

    kind: ClassVar[Kind] = "parametric"
    scheme: ClassVar[str] = DEFAULT_SCHEME

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not VERSIONED_NAME.fullmatch(self.name):
            remedy = "Give lower-case words that end in the version: 'loops-v0'."
            raise self._invalid("name", remedy)
        for field, longest in _TEXTS.items():
            text = getattr(self, field)
            if not isinstance(text, str) or not is_printable(text) or not 0 < len(text.strip()) <= longest:
                raise self._invalid(field, f"Give one line of text, at most {longest} characters.")
        if not isinstance(self.environment, str):
            raise self._invalid("environment", "Give the slug of an environment.")
        for field, least in (("low", 0), ("high", self.low)):
            number = getattr(self, field)
            is_whole = isinstance(number, int) and not isinstance(number, bool)
            if not is_whole or not least <= number <= MAX_PARAMETER:
                raise self._invalid(field, f"Give a whole number from {least} to {MAX_PARAMETER}.")

    @property
    def uri(self) -> str:
        """The URI of the range, with ``{n}`` in place of the number."""
        return self._uri(MEMBER)

    def __len__(self) -> int:
        return self.high - self.low + 1

    def __contains__(self, uri: object) -> bool:
        return isinstance(uri, str) and self._named(uri) is not None

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}: {self._uri('N')}, N from {self.low} to {self.high}>"

    def benchmark_at(self, index: int) -> Benchmark:
        """As in ``BaseDataset``; that of the smallest number has index 0."""
        return self._member(range(self.low, self.high + 1)[index])

    def benchmark(self, uri: str) -> Benchmark:
        """As in ``BaseDataset``; an ``UnknownName`` names the URI and the range."""
        number = self._named(require_text(uri))
        if number is None:
            full = uri if "://" in uri or self.claims(uri) else self._uri(uri)
            message = f"There is no benchmark {full[:200]!r} in {self.name}."
            remedy = f"Write {self._uri('N')}, where N is a decimal number from {self.low} to {self.high}."
            raise UnknownName(message, field="benchmark", value=uri, remedy=remedy)
        return self._member(number)

    def claims(self, uri: str) -> bool:
        """Whether a URI names this dataset and a path in it, even if that is not a member."""
        return self._path(uri) is not None

    def definition(self) -> dict[str, Any]:
        """What a server stores instead of a manifest, as JSON data: equal datasets have equal data."""
        described = {name: getattr(self, name) for name in ("title", "description", "licence")}
        return {
            "schema": SCHEMA,
            "dataset": self.name,
            **described,
            "toolchain": {},
            "sha256": digest_of([(self.uri, self.sha256)]),
            "kind": self.kind,
            "domain": self.domain,
            "language": self.language,
            "parameter": {"min": self.low, "max": self.high},
            **({} if self.scheme == DEFAULT_SCHEME else {"scheme": self.scheme}),
        }

    @property
    def sha256(self) -> str:
        """SHA-256 of the range's URI and its ends, hex: equal for ranges with the same members."""
        return hashlib.sha256(f"{self.uri} {self.low} {self.high}".encode()).hexdigest()

    def _uri(self, path: str) -> str:
        return f"{self.scheme}://{self.name}/{path}"

    def _path(self, uri: str) -> str | None:
        whole, prefix = uri.strip(" ").removeprefix(f"{self.scheme}://"), f"{self.name}/"
        return whole.removeprefix(prefix) if whole.startswith(prefix) else None

    def _named(self, uri: str) -> int | None:
        path = self._path(uri)
        path = uri.strip(" ") if path is None else path
        number = int(path) if _NUMBER.fullmatch(path) else -1
        return number if self.low <= number <= self.high else None

    def _member(self, number: int) -> Benchmark:
        texts = {name: getattr(self, name) for name in _TEXTS}
        return Benchmark.computed(self._uri(str(number)), **texts)

    def _invalid(self, field: str, remedy: str) -> InvalidInput:
        value = getattr(self, field)
        message = f"The parametric dataset {self.name!r:.80} has an invalid {field}: {value!r:.80}."
        return InvalidInput(message, field=field, value=value, remedy=remedy)


# The tag of a program that has no workloads: it has no ``main``, or does not end in time.
NOT_RUNNABLE: Final = "not-runnable"
_DIGEST_DIGITS: Final = 64
_FORMAT: Final = 2  # The version of cached files: with another one all members are made again
_BYTES: Final = ("stdin", "expected_stdout")


@dataclass(frozen=True, slots=True, kw_only=True)
class Generated:
    """What a generator makes from a seed: a program, runs with what they must print, a remark for people."""

    program: bytes
    workloads: tuple[Workload, ...] = ()
    remark: str = ""


class GeneratorFailed(InvalidInput):
    """A generator made no program from a seed, which the message names."""


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GeneratedDataset(ParametricDataset):
    """A range whose members are programs that a generator makes from their numbers: ``generator://…-v0/42``.

    A member has the same bytes on every machine. Its costs are not recorded: environments measure them.

    Attributes:
        generator: ``module:function``; the function takes a seed and returns a ``Generated``.
        revision: What determines the programs besides the seed, such as the generator's version and options.
            A change of it needs a new version of the dataset.
        further_environments: Slugs of other environments that can use the programs.

    Raises:
        InvalidInput: As for ``ParametricDataset``, or the generator's name has another form.
    """

    generator: str
    revision: str
    further_environments: tuple[str, ...] = ()

    scheme: ClassVar[str] = GENERATOR_SCHEME

    def __post_init__(self) -> None:
        super(GeneratedDataset, self).__post_init__()  # slots make a class of their own, unknown to super()
        module, _, function = str(self.generator).partition(":")
        if not function.isidentifier() or not all(part.isidentifier() for part in module.split(".")):
            raise self._invalid("generator", "Write it as 'package.module:function'.")
        if not isinstance(self.revision, str) or not self.revision:
            raise self._invalid("revision", "Say what determines the programs: the generator's version.")
        slugs = self.further_environments
        if not isinstance(slugs, tuple) or not all(isinstance(one, str) for one in slugs):
            raise self._invalid("further_environments", "Give a tuple of environments' slugs.")

    def benchmark(self, uri: str) -> Benchmark:
        """The benchmark with this URI, or with this path inside the dataset (``42``); its program is made.

        Raises:
            UnknownName: It does not end in a decimal number of the range; the message names URI and range.
            ToolMissing: The generator needs a program that is missing or unsuitable here; the message says
                what to do.
            GeneratorFailed: The generator makes no program from this seed.
            PlatformNotSupported: The compiler does not run on this machine.
        """
        named = super(GeneratedDataset, self).benchmark(uri)
        named.program()
        return named

    def definition(self) -> dict[str, Any]:
        """As in ``ParametricDataset``."""
        return {**super(GeneratedDataset, self).definition(), "revision": self.revision}

    @property
    def sha256(self) -> str:
        """SHA-256 of the range's URI, its ends and what determines the programs, hex."""
        told = f"{self.uri} {self.low} {self.high} {self.revision}"
        return hashlib.sha256(told.encode()).hexdigest()

    def made(self, number: int) -> Generated:
        """What the generator makes from a number; from the cache, if it was made before.

        Raises:
            ToolMissing, GeneratorFailed, PlatformNotSupported: As for ``benchmark()``.
        """
        entry = f"{_FORMAT} {self.name} {self.revision} {number}"
        store = _MemberStore(paths.cache() / "generated")
        kept = store.get_or_make(
            hashlib.sha256(entry.encode()).hexdigest(), lambda: _packed(self._generated(number))
        )
        return _unpacked(kept)

    def _generated(self, number: int) -> Generated:
        module, _, function = self.generator.partition(":")
        try:
            make: Callable[[int], Generated] = getattr(importlib.import_module(module), function)
        except Exception as error:  # a plug-in's module may raise anything when it is imported
            message = f"The generator {self.generator!r} of {self.name} cannot be loaded: {_said(error)}."
            remedy = "Install the package that it is part of."
            raise GeneratorFailed(message, field="generator", value=self.generator, remedy=remedy) from error
        cause: Exception | None = None
        try:
            made = make(number)
            problem = _problem(made)
        except (ToolMissing, GeneratorFailed):
            raise
        except InvalidInput as error:
            problem, cause = error.message, error
        except OptArenaError:
            raise
        except Exception as error:  # noqa: BLE001 # a plug-in's code: any error becomes this package's
            problem, cause = f"{_said(error)}.", error
        if not problem:
            return made
        message = f"{self.name} makes no program from the seed {number}: {problem}"
        remedy = "Use another seed, and report this to the generator's authors."
        raise GeneratorFailed(message, field="benchmark", value=number, remedy=remedy) from cause

    def _member(self, number: int) -> Benchmark:
        return GeneratedBenchmark.of(self, number)


def facts_of_member(dataset: str, title: str, revision: str, number: int) -> dict[str, Any]:
    """The title and the source of a member, which are known before anything of it is made."""
    source = {"generator": dataset, "revision": revision, "seed": number}
    return {"title": f"{title}, seed {number}", "source": source}


class GeneratedBenchmark(Benchmark):
    """A member of a generated dataset: its program is made at the first use of what depends on it."""

    __slots__ = ("_dataset", "_number")

    @classmethod
    def of(cls, dataset: GeneratedDataset, number: int) -> GeneratedBenchmark:
        """The member, before anything of it is made."""
        uri = dataset.uri.replace("{n}", str(number))
        given: dict[str, Any] = {
            "uri": uri,
            "name": str(number),
            **facts_of_member(dataset.name, dataset.title, dataset.revision, number),
            "domain": dataset.domain,
            "licence": dataset.licence,
            "kind": dataset.kind,
            "baselines": {},
            "language": dataset.language,
            "run_seconds": 0.0,
            "compiler": None,
            "split": "",
        }
        made = cls.__new__(cls)
        for name, value in {**given, "_dataset": dataset, "_number": number}.items():
            object.__setattr__(made, name, value)
        return made

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 # of any attribute
        # The facts that are unknown until the program is made.
        if name not in _FROM_PROGRAM:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        dataset = cast("GeneratedDataset", self._dataset)
        made = dataset.made(cast("int", self._number))
        found: dict[str, Any] = {
            "sha256": hashlib.sha256(made.program).hexdigest(),
            "size_bytes": len(made.program),
            "workloads": made.workloads,
            "load": partial(bytes, made.program),
            "description": f"{dataset.description} {made.remark}".strip(),
            "tags": () if made.workloads else (NOT_RUNNABLE,),
        }
        for one, value in found.items():
            object.__setattr__(self, one, value)
        return found[name]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.uri}>"


_FROM_PROGRAM: Final = frozenset({"sha256", "size_bytes", "workloads", "load", "description", "tags"})


@dataclass(frozen=True, slots=True)
class _MemberStore(ProgramStore):
    # Stores members under a name; each file begins with the sha256 of the rest.

    def _is_good(self, sha256: str, data: bytes) -> bool:  # noqa: ARG002 # the name does not depend on the content
        told, content = data[:_DIGEST_DIGITS], data[_DIGEST_DIGITS + 1 :]
        if told != hashlib.sha256(content).hexdigest().encode():
            return False
        try:
            _unpacked(data)
        except (ValueError, LookupError, TypeError, AttributeError):  # of another version or program
            return False
        return True


def _said(error: Exception) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def _problem(made: object) -> str:
    if not isinstance(made, Generated):
        return f"The generator returned {made!r:.100}, which is not a Generated."
    if not isinstance(made.program, bytes) or not 0 < len(made.program) <= limits.MAX_BENCHMARK_BYTES:
        return f"The program must have 1 to {limits.MAX_BENCHMARK_BYTES} bytes."
    is_list = isinstance(made.workloads, tuple) and all(isinstance(one, Workload) for one in made.workloads)
    return "" if is_list and isinstance(made.remark, str) else "The workloads or remark have the wrong type."


def _packed(made: Generated) -> bytes:
    # The digest, a line of JSON, the program.
    workloads = [asdict(one) for one in made.workloads]
    for workload in workloads:
        workload.update({name: base64.b64encode(workload[name]).decode() for name in _BYTES})
        workload["files"] = encoded_files(workload["files"])
    about = {"workloads": workloads, "remark": made.remark}
    content = json.dumps(about).encode() + b"\n" + made.program
    return hashlib.sha256(content).hexdigest().encode() + b"\n" + content


def _unpacked(data: bytes) -> Generated:
    _, about, program = data.split(b"\n", 2)
    told = json.loads(about)
    for workload in told["workloads"]:
        workload.update({name: base64.b64decode(workload[name]) for name in _BYTES})
        workload["args"] = tuple(workload["args"])
        workload["files"] = decoded_files(workload["files"])
    workloads = tuple(Workload(**one) for one in told["workloads"])
    return Generated(program=program, workloads=workloads, remark=told["remark"])
