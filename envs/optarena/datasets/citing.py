"""Citations of datasets, as text and for BibTeX, for the command line and the pages of a server."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final
from urllib.parse import quote

from optarena.datasets.dataset import BaseDataset, Dataset
from optarena.datasets.parametric import ParametricDataset
from optarena.datasets.remote import RemoteDataset
from optarena.documents.texts import one_line

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
        bibtex: An ``@misc`` entry.
    """

    text: str
    bibtex: str


def cite(dataset: BaseDataset, url: str = "") -> Citation:
    """How to cite a dataset, by what is known of it.

    ``url`` is the server that has it; if empty, the one that it is from. User names in it are left out.
    """
    server = url or (dataset.url if isinstance(dataset, RemoteDataset) else "")
    stored = dataset if isinstance(dataset, Dataset) else None
    upstream = stored.manifest.upstream if stored else ""
    return citation_of(
        name=dataset.name,
        title=dataset.title,
        licences=licence_counts(dataset),
        released=stored.manifest.released if stored else "",
        sha256=content_sha256(dataset),
        address=f"{_public(server)}/datasets/{dataset.name}/" if server else upstream,
    )


def citation_of(  # noqa: PLR0913 # all by keyword
    *, name: str, title: str, licences: Mapping[str, int], released: str, sha256: str, address: str
) -> Citation:
    """A citation as by ``cite``, from the facts about a dataset; texts are empty where unknown."""
    told = most_frequent_first(licences).items()
    listed = ", ".join(
        f"{one_line(one)} ({count})" if len(told) > 1 else one_line(one) for one, count in told
    )
    sources = f"Licences of the programs' sources: {listed}"
    version = name.rpartition("-")[2]
    title = f"{one_line(title)} ({name})"
    note = f"sha256 {sha256}. {sources}" if sha256 else sources
    parts = [title, f"Version {version}", f"Released {released}" if released else "", note, address]
    fields = {
        "key": name,  # the sort key of an entry without authors
        "title": f"{{{escape_bibtex(title)}}}",
        "howpublished": f"\\url{{{address}}}" if address else "",
        "version": escape_bibtex(version),
        "year": released[:4],
        "month": str(date.fromisoformat(released).month) if released else "",
        "note": escape_bibtex(f"{f'Released {released}. ' if released else ''}{note}"),
    }
    text = ". ".join(part for part in parts if part)
    return Citation(text=f"{text}.", bibtex=bibtex_entry(name, fields))


def bibtex_entry(key: str, fields: Mapping[str, str]) -> str:
    """An ``@misc`` entry with these fields, whose values are ``escaped`` already; empty ones are left out."""
    lines = [f"  {name:<12} = {{{value}}}," for name, value in fields.items() if value]
    return "\n".join((f"@misc{{{_NOT_IN_KEYS.sub('-', key)},", *lines, "}"))


def content_sha256(dataset: BaseDataset) -> str:
    """The digest of a dataset's content, hex; empty if it has none, like the files of a folder."""
    if isinstance(dataset, Dataset):
        return dataset.manifest.sha256
    return str(dataset.definition()["sha256"]) if isinstance(dataset, ParametricDataset) else ""


def licence_counts(dataset: BaseDataset) -> dict[str, int]:
    """How many benchmarks have each licence, the most frequent first; for a range, its one licence."""
    if isinstance(dataset, Dataset):
        return most_frequent_first(Counter(entry.licence for entry in dataset.manifest.benchmarks))
    return {dataset.licence: len(dataset)}


def most_frequent_first(counts: Mapping[str, int]) -> dict[str, int]:
    """The counts in descending order; equal ones by name."""
    return dict(sorted(counts.items(), key=lambda one: (-one[1], one[0])))


def _public(url: str) -> str:
    # Without user and password, and without characters special to BibTeX or terminals.
    scheme, separator, rest = url.strip().rstrip("/").partition("://")
    location, slash, path = rest.partition("/")
    return quote(f"{scheme}{separator}{location.rpartition('@')[2]}{slash}{path}", safe=_IN_ADDRESSES)


def escape_bibtex(text: str) -> str:
    """A text as BibTeX shows it unchanged."""
    return "".join(_SPECIAL.get(one, one) for one in text)
