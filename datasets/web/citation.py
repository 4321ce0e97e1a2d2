"""How to cite a dataset version, as BibTeX. The address is this server's; the hash says which content."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from datasets.models import DatasetVersion

_SPECIAL: Final = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_ESCAPED: Final = re.compile(r"[\\{}$&#%_~^]")


def bibtex(version: DatasetVersion, url: str) -> str:
    """The entry of a version.

    Args:
        version: The version.
        url: The address of its page.
    """
    day = version.released or version.created_at.date()
    return "\n".join(
        (
            f"@misc{{{version.name},",
            f"  title        = {{{{{_tex(version.title)}}}}},",
            f"  howpublished = {{OptArena dataset {_tex(version.name)}}},",
            f"  year         = {{{day.year}}},",
            f"  url          = {{{url}}},",
            f"  note         = {{sha256 {version.manifest.get('sha256') or version.manifest_sha256}}},",
            "}",
        )
    )


def _tex(text: str) -> str:
    """Text with what TeX would read as a command written out."""
    return _ESCAPED.sub(lambda found: _SPECIAL.get(found[0], f"\\{found[0]}"), text)
