"""``optarena boards``, ``board`` and ``compare``: what can be submitted to, and who is ahead on what."""

from __future__ import annotations

import click

from optarena.cli import console
from optarena.cli.console import counted, output, print_json, submission_id, table, text_table
from optarena.client_answers import rank_text, score_text, texts_of


@click.command()
@console.json_output
@console.login
def boards(url: str | None, token: str | None, *, as_json: bool) -> None:
    """List the boards of the server with their best entries."""
    with console.client(url, token) as client:
        found = client.boards()
    if as_json:
        print_json(found)
    else:
        text_table(found.table)


@click.command()
@click.argument("slug", metavar="BOARD")
@click.option("--all", "every", is_flag=True, help="Every entry, not only the best of each owner.")
@console.json_output
@console.login
def board(slug: str, url: str | None, token: str | None, *, every: bool, as_json: bool) -> None:
    """Show the rows of BOARD, and the references that they compare with.

    An entry without a rank is followed by the reason. Entries that are being verified have no score.
    """
    with console.client(url, token) as client:
        page = client.standings(slug, every_entry=every)
    if as_json:
        print_json(page)
    else:
        text_table(page.table)


@click.command()
@click.argument("entries", nargs=-1, required=True)
@click.option("--board", help="The board, if none of the entries is a submission.")
@console.json_output
@console.login
def compare(
    entries: tuple[str, ...], board: str | None, url: str | None, token: str | None, *, as_json: bool
) -> None:
    """Compare two to four ENTRIES of one board, program by program.

    An entry is a submission (its id, the beginning of its id, or the address of its page), a level of the
    compiler such as `level:Oz`, or `virtual-best`, the best verified result of each program.
    """
    with console.client(url, token) as client:
        names = [
            one if one == "virtual-best" or one.startswith("level:") else submission_id(client, one)
            for one in entries
        ]
        found = client.compare(names, board=board)
    if as_json:
        print_json(found)
        return
    output().print(f"board: {found['board']}; programs that all have: {found['common']:d}")
    table(
        ("", "entry", "score", "in words", "rank", "mean of common programs", "ahead alone on"),
        (
            (
                *texts_of(one, "letter", "label"),
                score_text(one["score"]),
                one["against_reference"],
                rank_text(one),
                score_text(one["geometric_mean"]),
                "" if one["wins"] is None else f"{one['wins']:d}",
            )
            for one in found["columns"]
        ),
        numbers=("score", "rank", "mean of common programs", "ahead alone on"),
    )
    if any(one["wins"] is None for one in found["columns"]):
        output().print("The virtual best is not counted as ahead.")
    for pair in found["pairs"]:
        wins, ties = counted(pair["wins"], "win"), counted(pair["ties"], "tie")
        losses = f"{pair['losses']:,d} loss{'' if pair['losses'] == 1 else 'es'}"
        output().print(f"{pair['one']} against {pair['other']}: {wins}, {ties}, {losses}")
    letters = [one["letter"] for one in found["columns"]]
    programs = (
        (
            program["benchmark"],
            *(score_text(cell["ratio"]) for cell in program["cells"]),
            program["winner"] or "",
        )
        for program in found["results"]
    )
    table(("program", *letters, "ahead"), programs, numbers=letters)
    if found["next"]:
        output().print(f"only the first {len(found['results'])} programs are shown")
