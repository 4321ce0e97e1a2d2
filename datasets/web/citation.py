"""The BibTeX entry of a dataset version, as the package writes it, with the address of this server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optarena.datasets.citing import Cited, citation_of

if TYPE_CHECKING:
    from datasets.models import DatasetVersion


def bibtex(version: DatasetVersion, url: str) -> str:
    """The entry of a version.

    Args:
        version: The version.
        url: The address of its page.
    """
    licences: dict[str, int] = version.statistics.get("licences") or {version.licence: version.member_count}
    about = Cited(
        name=version.name,
        title=version.title,
        licences=licences,
        released=version.released.isoformat() if version.released else "",
        sha256=str(version.manifest.get("sha256", "")),
        address=url,
    )
    return citation_of(about).bibtex
