"""The grammar of benchmark URIs: ``scheme://dataset-vN/path?params``, the scheme defaulting to ``benchmark``.

Text in, text out: whether a benchmark exists is the registry's question.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, quote, unquote, urlencode

from optarena import limits
from optarena.documents.texts import is_printable
from optarena.errors import InvalidInput

DEFAULT_SCHEME: Final = "benchmark"
FILE_SCHEME: Final = "file"
GENERATOR_SCHEME: Final = "generator"
VERSIONED_NAME: Final = re.compile(
    rf"(?P<family>[a-z0-9][a-z0-9_-]{{0,{limits.DATASET_FAMILY_LENGTH - 1}}})"
    rf"-v(?P<version>0|[1-9][0-9]{{0,{limits.DATASET_VERSION_DIGITS - 1}}})"
)
"""The form of a new dataset's name. A version has one spelling: ``v01`` would be ``v1`` to a server."""
DATASET_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_.-]*-v[0-9]+")
"""The form of a dataset's name that is read."""
RESERVED_NAMES: Final = ("bitcode", "results")
"""A server's benchmark has no path that ends so: its API has other addresses there."""
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*")
_PATH: Final = re.compile(r"[A-Za-z0-9_.+@%=,~-]+(/[A-Za-z0-9_.+@%=,~-]+)*")
_FILE_NAMES: Final = "surrogateescape"
"""How Python represents file names that are not valid text; see PEP 383."""
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
        if slash and not _is_path(path):
            raise _invalid(text, f"has an invalid path ({path!r})")
        return cls(scheme=scheme, dataset=dataset, path=path, params=_params(text, query))

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


def _is_path(path: str) -> bool:
    return bool(_PATH.fullmatch(path)) and not {".", ".."} & set(path.split("/"))


def _file_path(text: str, rest: str) -> str:
    path = unquote(rest, errors=_FILE_NAMES)
    if not path.startswith("/") or "\0" in path or path.endswith("/"):
        raise _invalid(
            text, "must name a file by its absolute path", "Write it as 'file:///folder/program.bc'."
        )
    return str(Path(path))


def _params(text: str, query: str) -> tuple[tuple[str, str], ...]:
    if not query:
        return ()
    try:
        return tuple(parse_qsl(query, keep_blank_values=True, strict_parsing=True, max_num_fields=20))
    except ValueError as error:
        raise _invalid(text, f"has malformed parameters ({error})") from error


def _invalid(text: str, what: str, remedy: str = _REMEDY) -> InvalidInput:
    return InvalidInput(
        f"The benchmark URI {text[:200]!r} {what}.", field="benchmark", value=text, remedy=remedy
    )
