"""The BibTeX entry of a board as it was at a moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from optarena.datasets.citing import bibtex_entry, escaped

if TYPE_CHECKING:
    from datetime import datetime

    from leaderboard.models import Board


def board_bibtex(board: Board, *, address: str, moment: datetime) -> str:
    """The entry of a board's standings.

    Args:
        board: The board, with its versions.
        address: The address that shows the standings of the moment again.
        moment: The moment.
    """
    environment, dataset = board.environment_version, board.dataset_version
    note = (
        f"Standings of {moment:%Y-%m-%d %H:%M:%S} UTC. Environment {environment.env_id}, version "
        f"{environment.digest}. Dataset {dataset.name}, manifest sha256 {dataset.manifest_sha256}"
    )
    fields = {
        "key": board.slug,
        "title": f"{{{escaped(f'OptArena leaderboard: {board.title}')}}}",
        "howpublished": f"\\url{{{address}}}",
        "year": f"{moment:%Y}",
        "month": f"{moment.month}",
        "note": escaped(note),
    }
    return bibtex_entry(f"optarena-{board.slug}-{moment:%Y-%m-%d}", fields)
