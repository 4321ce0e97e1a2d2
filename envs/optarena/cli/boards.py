"""``optarena boards``, ``board`` and ``compare``: what can be submitted to, and who is ahead on what."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from optarena.cli import console
from optarena.cli.console import output, plain, plain_of, submission_id, table

if TYPE_CHECKING:
    from collections.abc import Iterator


Json = dict[str, Any]


@click.command()
@console.login
def boards(url: str | None, token: str | None) -> None:
    """List the boards of the server with their best entries."""
    with console.client(url, token) as client:
        table(
            ("board", "environment", "dataset", "metric", "entries", "best", "in words", "by"),
            (
                (*plain_of(one, "slug", "environment", "dataset", "metric"), one["entries"], *_best(one))
                for one in client.boards()
            ),
            numbers=("entries", "best"),
        )


@click.command()
@click.argument("slug", metavar="BOARD")
@click.option("--all", "every", is_flag=True, help="Every entry, not only the best of each agent.")
@console.login
def board(slug: str, url: str | None, token: str | None, *, every: bool) -> None:
    """Show the rows of BOARD, and the references that they compare with.

    An entry without a rank is followed by the reason. Entries that are being verified have no score.
    """
    with console.client(url, token) as client:
        page = client.standings(slug, every_entry=every)
        table(
            ("rank", "agent", "by", "score", "in words", "verified", "submission", "no rank because"),
            _rows(page),
            numbers=("rank", "score", "verified"),
        )
        if page["next"]:
            output().print(f"only the first {len(page['results'])} rows are shown")
        if page["provisional"]:
            output().print(plain(page["provisional_notice"]))


def rank_of(row: Json) -> str:
    low, high = row["rank"], row.get("rank_high")
    if low is None:
        return ""
    return str(low) if high in (None, low) else f"{low} to {high}"


def _best(one: Json) -> tuple[str, str, str]:
    leaders = one["leaders"]
    if not leaders:
        return "", "", ""
    names = ", ".join(dict.fromkeys(plain(leader["agent"]) for leader in leaders[:3]))
    return f"{leaders[0]['score']:.4f}", plain(leaders[0]["against_reference"]), names


def _rows(page: Json) -> Iterator[tuple[object, ...]]:
    for row in page["results"]:
        yield (
            rank_of(row),
            *plain_of(row, "agent", "owner"),
            _number(row["score"]),
            plain(row["against_reference"]),
            f"{row['verified']}/{row['total']}",
            plain(row["submission"]),
            plain(row.get("unranked") or ""),
        )
    for one in page.get("pending", ()):
        done = f"{one['verified']}/{one['total']}"
        yield ("", *plain_of(one, "agent", "owner"), "", "", done, *plain_of(one, "submission", "unranked"))
    if best := page.get("virtual_best"):
        done = f"{best['verified']}/{best['total']}"
        yield ("", "virtual best", "reference", f"{best['score']:.4f}", "", done, "", "")
    for one in page["references"]:
        words = plain(one["against_reference"])
        yield ("", plain(one["label"]), "reference", f"{one['score']:.4f}", words, "", "", "")


@click.command()
@click.argument("entries", nargs=-1, required=True)
@click.option("--board", help="The board, if none of the entries is a submission.")
@console.login
def compare(entries: tuple[str, ...], board: str | None, url: str | None, token: str | None) -> None:
    """Compare two to four ENTRIES of one board, program by program.

    An entry is a submission (its id or the address of its page), a level of the compiler such as
    `level:Oz`, or `virtual-best`, the best verified result of each program.
    """
    with console.client(url, token) as client:
        names = [
            one if one == "virtual-best" or one.startswith("level:") else submission_id(client, one)
            for one in entries
        ]
        found = client.compare(names, board=board)
    output().print(f"board: {plain(found['board'])}; programs that all have: {found['common']:d}")
    table(
        ("", "entry", "score", "in words", "rank", "mean of common programs", "ahead alone on"),
        (
            (
                *plain_of(one, "letter", "label"),
                _number(one["score"]),
                plain(one["against_reference"]),
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
    programs = (
        (
            plain(program["benchmark"]),
            *(_number(cell["ratio"]) for cell in program["cells"]),
            plain(program["winner"] or ""),
        )
        for program in found["results"]
    )
    table(("program", *letters, "ahead"), programs, numbers=letters)
    if found["next"]:
        output().print(f"only the first {len(found['results'])} programs are shown")


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"
