"""``optarena compare``: who is ahead on which program, and by how much."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import click

from optarena.cli import logins, options
from optarena.cli.boards import rank_of
from optarena.cli.console import output, plain, table
from optarena.cli.identifiers import submission_id

if TYPE_CHECKING:
    from collections.abc import Iterator

    from optarena.client import Client

Json = dict[str, Any]
_VIRTUAL_BEST: Final = "virtual-best"
_LEVEL_PREFIX: Final = "level:"


@click.command()
@click.argument("entries", nargs=-1, required=True)
@click.option("--board", help="The board, if none of the entries is a submission.")
@options.login
def compare(entries: tuple[str, ...], board: str | None, url: str | None, token: str | None) -> None:
    """Compare two to four ENTRIES of one board, program by program.

    An entry is a submission (its id or the address of its page), a level of the compiler such as
    `level:Oz`, or `virtual-best`, the best verified result of each program.
    """
    with logins.client(url, token) as client:
        found = client.compare([_entry(client, entry) for entry in entries], board=board)
    output().print(f"board: {plain(found['board'])}; programs that all have: {found['common']:d}")
    table(
        ("", "entry", "score", "rank", "mean of common programs", "ahead alone on"),
        (
            (
                plain(one["letter"]),
                plain(one["label"]),
                _number(one["score"]),
                rank_of(one),
                _number(one["geometric_mean"]),
                f"{one['wins']:d}",
            )
            for one in found["columns"]
        ),
        numbers=("score", "rank", "mean of common programs", "ahead alone on"),
    )
    for pair in found["pairs"]:
        output().print(
            f"{plain(pair['one'])} against {plain(pair['other'])}: {pair['wins']:d} wins,"
            f" {pair['ties']:d} ties, {pair['losses']:d} losses"
        )
    letters = [plain(one["letter"]) for one in found["columns"]]
    table(("program", *letters, "ahead"), _programs(found), numbers=letters)
    if found["next"]:
        output().print(f"only the first {len(found['results'])} programs are shown")


def _entry(client: Client, text: str) -> str:
    """What stands for an entry in the address."""
    is_name = text == _VIRTUAL_BEST or text.startswith(_LEVEL_PREFIX)
    return text if is_name else submission_id(client, text)


def _programs(found: Json) -> Iterator[tuple[object, ...]]:
    for program in found["results"]:
        ratios = (_number(cell["ratio"]) for cell in program["cells"])
        yield (plain(program["benchmark"]), *ratios, plain(program["winner"] or ""))


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"
