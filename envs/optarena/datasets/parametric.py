"""A dataset whose benchmarks are computed from a whole number, and therefore not stored."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

from optarena import limits
from optarena.datasets.base import BaseDataset, checked_uri
from optarena.datasets.manifest import SCHEMA, digest_of
from optarena.documents.texts import is_printable
from optarena.errors import InvalidInput, UnknownName
from optarena.specs.benchmark import Benchmark
from optarena.specs.uri import DEFAULT_SCHEME, VERSIONED_NAME

if TYPE_CHECKING:
    from optarena.specs.benchmark import Kind

MEMBER: Final = "{n}"
"""The placeholder of the number in the URI of the range."""
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
            if (
                isinstance(number, bool)
                or not isinstance(number, int)
                or not least <= number <= MAX_PARAMETER
            ):
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
        """The benchmark at this index; that of the smallest number has index 0.

        Raises:
            IndexError: The index is out of range.
        """
        return self._member(range(self.low, self.high + 1)[index])

    def benchmark(self, uri: str) -> Benchmark:
        """The benchmark with this URI, or with this path inside the dataset (``1024``).

        Raises:
            UnknownName: It does not end in a decimal number of the range; the message names URI and range.
        """
        number = self._named(checked_uri(uri))
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
        """The path that a URI names in this dataset; None if it is not a URI of this dataset."""
        whole, prefix = uri.strip(" ").removeprefix(f"{self.scheme}://"), f"{self.name}/"
        return whole.removeprefix(prefix) if whole.startswith(prefix) else None

    def _named(self, uri: str) -> int | None:
        path = self._path(uri)
        return self._number(uri.strip(" ") if path is None else path)

    def _number(self, path: str) -> int | None:
        number = int(path) if _NUMBER.fullmatch(path) else -1
        return number if self.low <= number <= self.high else None

    def _member(self, number: int) -> Benchmark:
        return Benchmark.computed(
            self._uri(str(number)),
            title=self.title,
            description=self.description,
            domain=self.domain,
            language=self.language,
            licence=self.licence,
        )

    def _invalid(self, field: str, remedy: str) -> InvalidInput:
        value = getattr(self, field)
        message = f"The parametric dataset {self.name!r:.80} has an invalid {field}: {value!r:.80}."
        return InvalidInput(message, field=field, value=value, remedy=remedy)
