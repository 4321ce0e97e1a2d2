"""Step data: what each action of a sequence did to its program, as tables for learning from.

A **release** is a folder of Parquet files with a description in the Croissant format. Servers write releases
of the sequences that everybody may read; the package has ``steps-v0``. What needs no table works without the
extra ``data``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from optarena.data.releases import Release, find_releases, installed_releases

if TYPE_CHECKING:
    from optarena.data.tables import StepData

__all__ = ["Release", "find_releases", "installed_releases", "load"]


def load(version: str, url: str | None = None) -> StepData:
    """The tables of a release and of those that it follows, each file checked by its sha256.

    Args:
        version: Its name, such as ``steps-v0``.
        url: The server that has it, unless it is installed; ``$OPTARENA_URL`` or the local demo's if None.

    Raises:
        UnknownName: Neither this installation nor the server has it.
        InvalidInput: It is damaged, or of a later version of the schema.
        ToolMissing: The extra ``data`` is not installed.
        ServerUnreachable: The server does not answer, and the release was not downloaded before.
    """
    from optarena.data.tables import read_releases  # noqa: PLC0415 - brings pyarrow, which few need

    return read_releases(find_releases(version, url))
