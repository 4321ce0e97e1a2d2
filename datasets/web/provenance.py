"""The origin of programs for pages. Nothing in a manifest is trusted: anybody may have written it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from optarena.specs import environment_specs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from datasets.models import DatasetVersion

_SETTINGS: Final = {"target": "Target", "cpu": "Processor", "flags": "Flags"}
"""Entries of a toolchain that are not a program's version."""
_COMPILER: Final = "compiler"
_TEXTS: Final = ("package", "version", "purl", "archive", "archive_sha256", "driver", "driver_sha256")
_MOST: Final = 2**53


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceDetails:
    """The known facts about a benchmark's source; unknown ones are empty.

    ``path`` is the source of a program of our own, ``file`` that of a single translation unit.
    """

    package: str
    version: str
    purl: str
    upstream: str
    archive: str
    archive_sha256: str
    archive_bytes: int
    driver: str
    driver_sha256: str
    path: str
    lines: int
    units: int
    flags: str
    files: tuple[str, ...]
    licence_files: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PackageSummary:
    """A source package of a dataset, the licences its programs have, and how many there are."""

    name: str
    version: str
    purl: str
    upstream: str
    archive: str
    archive_sha256: str
    licences: tuple[str, ...]
    benchmarks: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Licence:
    """A licence of a dataset's programs, the number of programs with it, and their packages."""

    spdx: str
    benchmarks: int
    packages: tuple[str, ...]


def source_of(facts: Mapping[str, Any]) -> SourceDetails:
    """A benchmark's ``source``, as far as it has the usual form."""
    texts = {name: _text(facts.get(name)) for name in _TEXTS}
    return SourceDetails(
        **texts,
        upstream=web_address(facts.get("upstream")),
        archive_bytes=_number(facts.get("archive_bytes")),
        path=_text(facts.get("path")) or _text(facts.get("file")),
        lines=_number(facts.get("lines")),
        units=_number(facts.get("translation_units")),
        flags=" ".join(_texts(facts.get("flags"))),
        files=_texts(facts.get("files")),
        licence_files=_texts(facts.get("licence_files")),
    )


def packages_of(version: DatasetVersion) -> list[PackageSummary]:
    """The source packages of a version, from its statistics."""
    return [
        PackageSummary(
            name=_text(one["package"]),
            version=_text(one.get("version")),
            purl=_text(one.get("purl")),
            upstream=web_address(one.get("upstream")),
            archive=_text(one.get("archive")),
            archive_sha256=_text(one.get("archive_sha256")),
            licences=tuple(one["licences"]),
            benchmarks=one["benchmarks"],
        )
        for one in version.statistics.get("packages", ())
    ]


def licences_of(version: DatasetVersion, packages: Sequence[PackageSummary]) -> list[Licence]:
    """The licences of a version's programs, the most frequent first, from its statistics."""
    found: dict[str, int] = version.statistics.get("licences", {})
    return [
        Licence(
            spdx=spdx,
            benchmarks=count,
            packages=tuple(package.name for package in packages if spdx in package.licences),
        )
        for spdx, count in sorted(found.items(), key=lambda item: (-item[1], item[0]))
    ]


def toolchain_of(version: DatasetVersion) -> list[tuple[str, str]]:
    """The toolchain of a version's programs: label and value.

    Where the compiler is an object, the other entries are those of the base, whose programs it compiles.
    """
    tools = version.manifest.get("toolchain", {})
    names = (spec.compiler.rpartition(" ")[0] for spec in environment_specs())
    titles = {name.lower(): name for name in names}
    programs = {key: titles.get(key, _label(key)) for key in sorted(tools.keys() - _SETTINGS.keys())}
    labels = {**programs, **_SETTINGS}
    if isinstance(tools.get(_COMPILER), dict):
        base = ((key, f"{label} of the base") for key, label in labels.items() if key != _COMPILER)
        labels = {_COMPILER: labels[_COMPILER], **dict(base)}
    shown = ((label, _tool(tools.get(key))) for key, label in labels.items())
    return [(label, text) for label, text in shown if text]


def _label(key: str) -> str:
    return key.replace("_", " ").capitalize()


def _tool(value: object) -> str:
    """An entry of a toolchain: a text, words, a compiler with its name, or headers with their package."""
    if not isinstance(value, dict):
        return " ".join(_texts(value)) or _text(value)
    sha256 = _text(value.get("sha256"))
    parts = (_text(value.get("name")), _text(value.get("purl")), f"sha256 {sha256}" if sha256 else "")
    return " ".join(part for part in parts if part)


def web_address(value: object) -> str:
    """An address that a page may link to; empty for anything else, such as ``javascript:``."""
    text = _text(value)
    try:
        return text if urlsplit(text).scheme in ("http", "https") else ""
    except ValueError:
        return ""


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: object) -> tuple[str, ...]:
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def _number(value: object) -> int:
    """A count; 0 for anything else, and for a number so large that a page cannot write it."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST else 0
