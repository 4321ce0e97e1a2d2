"""How a dataset is cited: as text and for BibTeX, with what makes it repeatable and whose work is in it."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from optarena.datasets.dataset import Dataset
from optarena.datasets.parametric import ParametricDataset
from optarena.datasets.remote import RemoteDataset

if TYPE_CHECKING:
    from optarena.datasets.base import BaseDataset

_SPECIAL: Final = {one: f"\\{one}" for one in "&%$#_{}"} | {
    "\\": "\\textbackslash{}",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
}
_IN_ADDRESSES: Final = ":/?#[]@!$&()*+,;=%"
_NOT_IN_KEYS: Final = re.compile(r"[^a-z0-9-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """How to cite a dataset.

    Attributes:
        text: One paragraph.
        bibtex: An entry of the kind ``@misc``.
    """

    text: str
    bibtex: str


def cite(dataset: BaseDataset, url: str = "") -> Citation:
    """How to cite a dataset.

    Title, version, the day of its release, the sha256 of its content, the licences of its programs, and where
    it is, as far as these are known.

    Args:
        dataset: The dataset.
        url: The server that has it; the one that it is from, if empty. User names in it are not told.
    """
    server = url or (dataset.url if isinstance(dataset, RemoteDataset) else "")
    address = f"{_public(server)}/datasets/{dataset.name}/" if server else _upstream(dataset)
    released, sha256 = _released(dataset), content_sha256(dataset)
    licences = f"Licences of the programs' sources: {_licences(dataset)}"
    version = dataset.name.rpartition("-")[2]
    title = _plain(dataset.title)
    note = f"sha256 {sha256}. {licences}" if sha256 else licences
    parts = [f"{title} ({dataset.name})", f"Version {version}", f"Released {released}" if released else ""]
    text = ". ".join(part for part in (*parts, note, address) if part)
    fields = {
        "title": f"{{{_escaped(title)}}}",
        "howpublished": f"\\url{{{address}}}" if address else "",
        "version": _escaped(version),
        "year": released[:4],
        "month": str(date.fromisoformat(released).month) if released else "",
        "note": _escaped(f"Dataset {dataset.name}. {f'Released {released}. ' if released else ''}{note}"),
    }
    lines = [f"  {name:<12} = {{{value}}}," for name, value in fields.items() if value]
    key = _NOT_IN_KEYS.sub("-", dataset.name)
    return Citation(text=f"{text}.", bibtex="\n".join((f"@misc{{{key},", *lines, "}")))


def content_sha256(dataset: BaseDataset) -> str:
    """The digest of a dataset's content, hex; empty where it has none, as the files of a folder."""
    if isinstance(dataset, Dataset):
        return dataset.manifest.sha256
    return str(dataset.definition()["sha256"]) if isinstance(dataset, ParametricDataset) else ""


def licence_counts(dataset: BaseDataset) -> dict[str, int]:
    """How many benchmarks have each licence, the most frequent first; of a range, that of all."""
    if isinstance(dataset, Dataset):
        return dict(Counter(entry.licence for entry in dataset.manifest.benchmarks).most_common())
    return {dataset.licence: len(dataset)}


def _licences(dataset: BaseDataset) -> str:
    counts = licence_counts(dataset)
    if len(counts) == 1:
        return _plain(next(iter(counts)))
    return ", ".join(f"{_plain(licence)} ({count})" for licence, count in counts.items())


def _released(dataset: BaseDataset) -> str:
    return dataset.manifest.released if isinstance(dataset, Dataset) else ""


def _upstream(dataset: BaseDataset) -> str:
    return dataset.manifest.upstream if isinstance(dataset, Dataset) else ""


def _public(url: str) -> str:
    """A server's address without user and password, and with nothing that BibTeX or a terminal reads."""
    scheme, separator, rest = url.strip().rstrip("/").partition("://")
    location, slash, path = rest.partition("/")
    return quote(f"{scheme}{separator}{location.rpartition('@')[2]}{slash}{path}", safe=_IN_ADDRESSES)


def _plain(text: str) -> str:
    return "".join(one if one.isprintable() else " " for one in text)


def _escaped(text: str) -> str:
    return "".join(_SPECIAL.get(one, one) for one in text)
