"""A dataset of a folder's files: modules as they are, and C sources, compiled when they are needed."""

from __future__ import annotations

import os
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final
from urllib.parse import quote

from optarena import limits
from optarena.datasets.base import BaseDataset, checked_uri, uri_within
from optarena.datasets.collection import USER_DATASET, unremembered
from optarena.documents.texts import whole
from optarena.errors import InvalidInput
from optarena.specs import program_formats, unknown_name
from optarena.specs.benchmark import Benchmark
from optarena.specs.loading import load
from optarena.specs.uri import DEFAULT_SCHEME, VERSIONED_NAME

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from optarena.specs import ProgramFormat
    from optarena.specs.benchmark import Kind

_KEPT: Final = 64
_LONGEST_PATTERN: Final = 200
_IN_PATHS: Final = "/.+@=,~-_"
"""Characters other than letters and digits that are not percent-encoded in a URI's path."""


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
        _check_name(name)
        texts = {"pattern": pattern, "title": title, "description": description, "licence": licence}
        for field, text in {**texts, "environment": environment}.items():
            if not isinstance(text, str):
                raise InvalidInput(
                    f"{field} is {text!r:.100}.", field=field, value=text, remedy="Give a text."
                )
        if len(pattern) > _LONGEST_PATTERN:  # fnmatch takes the square of its length
            message, remedy = f"pattern has {len(pattern)} characters.", f"Give at most {_LONGEST_PATTERN}."
            raise InvalidInput(message, field="pattern", value=pattern[:100], remedy=remedy)
        self.folder = _folder(folder)
        self.name = name
        self.title = title or whole(f"Files of {self.folder.name}")
        self.description = description or whole(f"The modules and C sources below {self.folder}.")
        self.licence = licence
        self.environment = environment
        self._copt = _flags(copt)
        self._paths = dict(sorted((self._uri(path), path) for path in _listed(self.folder, pattern)))
        self._uris = list(self._paths)
        self._said = (self.name, self.title, self.description, licence, environment, self._copt)
        self._made: dict[str, Benchmark] = {}
        if not self._paths:
            *most, last = _formats()
            kinds = f"{', '.join(most)} or {last} file"
            message = f"There is no {kinds} below {whole(str(self.folder))} that matches {pattern!r:.100}."
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
        """The benchmark at this index, from 0.

        Raises:
            IndexError: The index is out of range.
            InvalidInput: The file cannot be read, or does not compile.
            ToolMissing: The file is a source, and there is no clang.
        """
        return self._benchmark(self._uris[index])

    def benchmark(self, uri: str) -> Benchmark:
        """The benchmark with this URI, or with this path inside the dataset (``sub/program.c``).

        Raises:
            UnknownName: There is no such benchmark; the message names near matches.
            InvalidInput: It is neither a URI nor a path; or the file cannot be read, or does not compile.
            ToolMissing: The file is a source, and there is no clang.
        """
        full = str(uri_within(self.name, checked_uri(uri)))
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
            message = f"The path of {whole(str(path))} {too_long}"
            remedy = "Name a folder further down, or shorten the path."
            raise InvalidInput(message, field="folder", value=str(path), remedy=remedy)
        return uri


def _formats() -> dict[str, ProgramFormat]:
    """The known formats of files, by suffix."""
    return {one.suffix: one for one in program_formats()}


def _check_name(name: object) -> None:
    if not isinstance(name, str) or not VERSIONED_NAME.fullmatch(name) or name == USER_DATASET:
        remedy = "Give lower-case words that end in the version: 'files-v0'."
        message = f"The dataset cannot be named {name!r:.80}."
        raise InvalidInput(message, field="name", value=name, remedy=remedy)


def _flags(copt: object) -> tuple[str, ...]:
    """Flags for sources, checked before one is compiled.

    Raises:
        InvalidInput: They are not a list of texts, or one is a flag that ``make_benchmark`` does not take.
    """
    if not isinstance(copt, (list, tuple)) or not all(map(_is_word, copt)):
        message, remedy = f"copt is {copt!r:.200}.", 'Give a list of flags: ["-DN=1"].'
        raise InvalidInput(message, field="copt", value=copt, remedy=remedy)
    for check in dict.fromkeys(one.check_flags for one in program_formats() if one.check_flags):
        load(check)(copt, "copt")
    return tuple(copt)


def _is_word(value: object) -> bool:
    """Whether it is a text that can be a command's argument."""
    try:
        return isinstance(value, str) and b"\0" not in os.fsencode(value)
    except UnicodeEncodeError:
        return False


def _folder(folder: object) -> Path:
    """The folder's absolute path.

    Raises:
        InvalidInput: It is not a valid path, or of a user without a home folder.
    """
    try:
        if isinstance(folder, (str, Path)) and b"\0" not in os.fsencode(folder):
            return Path(folder).expanduser().absolute()
        cause = None
    except (UnicodeEncodeError, RuntimeError) as error:
        cause = error
    message, remedy = f"folder is {folder!r:.100}.", "Give the path of a folder."
    raise InvalidInput(message, field="folder", value=folder, remedy=remedy) from cause


def _listed(folder: Path, pattern: str) -> list[Path]:
    """The files below a folder; without the recursion of ``os.walk``, as folders may be nested deeply.

    Raises:
        InvalidInput: It is not a folder, or part of it cannot be read.
    """
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
        place = whole(str(error.filename or folder))
        message = f"The folder {place} cannot be listed: {error.strerror}."
        raise InvalidInput(message, field="folder", value=str(folder), remedy=remedy) from error
    return [path for path in found if fnmatchcase(path.relative_to(folder).as_posix(), pattern)]
