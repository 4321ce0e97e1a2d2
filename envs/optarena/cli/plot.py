"""``optarena plot``: draws what a file of results, an item or a board of a server has, as a picture."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

import optarena
from optarena.agents.reports import check_report, read_report, report_path
from optarena.cli import console
from optarena.cli.console import (
    chosen_state,
    errors,
    in_style,
    output,
    read_file,
    refuse_unused,
    submission_id,
)
from optarena.cli.replay import parse_url, require_open
from optarena.client import Client
from optarena.datasets import datasets
from optarena.errors import InvalidInput
from optarena.replay import replay
from optarena.specs.results import ReplayResult

if TYPE_CHECKING:
    from optarena.plots import Chart
    from optarena.specs import EnvironmentSpec
    from optarena.state import EnvState

FORMATS: Final = ("png", "svg", "pdf")


@click.command()
@click.argument("source", metavar="FILE|BOARD|URL")
@click.option(
    "--kind",
    type=click.Choice(["search", "walk", "blocks"]),
    help="What to draw. [default: blocks of a measured item, the walk of one program, else the search]",
)
@click.option("--benchmark", metavar="URI", help="Of FILE, this program alone: its walk, or its blocks.")
@console.environment
@console.server
@click.option(
    "--output",
    "file",
    type=console.OutputFile(*(f".{one}" for one in FORMATS)),
    help="The picture; its name ends in .png, .svg or .pdf. [default: beside FILE, or in the present folder]",
)
def plot(  # noqa: PLR0913 # one argument for each option
    source: str,
    *,
    kind: str | None,
    benchmark: str | None,
    env: str | None,
    url: str | None,
    file: Path | None,
) -> None:
    """Draw a chart of results, of an item, or of a board.

    FILE has states (CSV or JSON). Its chart is the search that found them: the best value over evaluations,
    and each program beside the compiler's own level. With --benchmark it is a walk: the cost after each
    action. BOARD is the name of a server's board, whose best score is drawn over time. URL is the address of
    a board, or of an item, whose walk or measured blocks are drawn. It needs the extra `plot`.
    """
    if file is not None and not file.parent.is_dir():
        message = f"The folder {file.parent} does not exist."
        raise InvalidInput(message, field="output", value=str(file), remedy="Make it, or name another one.")
    typed = url if console.is_typed("url") else None
    if not Path(source).exists() and console.BOARD_ADDRESS.match(source):
        refuse_unused("the chart of a board", kind=kind, benchmark=benchmark, env=env)
        chart, name = _of_board(source, url)
    elif source.startswith(("http://", "https://")):
        search = kind if kind == "search" else None
        refuse_unused("the chart of an item", kind=search, benchmark=benchmark, env=env, url=typed)
        chart, name = _of_item(source, kind)
    else:
        refuse_unused("the chart of a file", url=typed)
        chart, name = _of_file(Path(source), kind, benchmark, env)
    target = file or name.with_name(f"{name.name}.{FORMATS[0]}")
    chart.savefig(target)
    output().print(f"The chart is in {target}")


def _of_board(source: str, url: str | None) -> tuple[Chart, Path]:
    from optarena import plots  # noqa: PLC0415 # an extra

    base, slug = console.board_address(source)
    # Reading needs no token.
    with Client(base or url, token="") as client:
        return console.reading_answers(plots.board)(client, slug), Path(slug)


def _of_item(source: str, kind: str | None) -> tuple[Chart, Path]:
    from optarena import plots  # noqa: PLC0415 # as above

    base, submission, position = parse_url(source)
    if position is None:
        remedy = f"Give the address of one of its items, such as {source.rstrip('/')}/items/0/."
        raise InvalidInput(f"{source} is a whole submission.", field="url", value=source, remedy=remedy)
    with Client(base, token=console.token_for(base)) as client:
        submission = submission_id(client, submission)
        item = client.item(submission, int(position))
    if item.get("result") is None:
        console.reading_answers(require_open)(item)
        message = f"{source} has no result yet."
        remedy = "Wait until its replay has ended, or draw a file of your own."
        raise InvalidInput(message, field="url", value=source, remedy=remedy)
    result = console.reading_answers(ReplayResult.from_json)(item["result"])
    is_walk = kind == "walk" or (kind is None and not result.measurement)
    draw = plots.walk if is_walk else plots.blocks
    return console.reading_answers(draw)(result), Path(f"item-{submission[:8]}-{position}")


def _of_file(path: Path, kind: str | None, benchmark: str | None, env: str | None) -> tuple[Chart, Path]:
    report = read_report(path)
    if report is not None and env is None:
        env = report.run.environment
    spec, states = read_file(path, env)
    if kind is None:
        is_one = benchmark is not None or (len(states) == 1 and report is None)
        kind = "walk" if is_one else "search"
    if kind == "search":
        return _search(path, spec, states), path.with_suffix("")
    state = chosen_state(path, states, benchmark)
    chart = _walk(spec, state) if kind == "walk" else _blocks(spec, state)
    name = re.sub(r"[^A-Za-z0-9_.-]+", "-", state.benchmark.rpartition("/")[2])
    return chart, path.with_name(path.stem if len(states) == 1 else f"{path.stem}-{name}")


def _search(path: Path, spec: EnvironmentSpec, states: list[EnvState]) -> Chart:
    from optarena import plots  # noqa: PLC0415 # as above

    report = read_report(path)
    if report is not None:
        if report.run.environment != spec.slug:
            message = f"{report_path(path)} is of {report.run.environment}, not of {spec.slug}."
            raise InvalidInput(message, field="env", value=spec.slug, remedy="Leave --env out.")
        check_report(report, states, name=str(report_path(path)))
        return plots.search(report)
    metric = next((one for one in spec.metrics if any(one.name in state.claims for state in states)), None)
    if metric is None:
        message = f"{path} has no values: neither claims, nor a report of a search beside it."
        remedy = "Draw the walk of one program by --benchmark, or add a column such as ir_instructions."
        raise InvalidInput(message, field="file", value=str(path), remedy=remedy)
    values = {one.benchmark: one.claims[metric.name] for one in states if metric.name in one.claims}
    return plots.programs(values, spec, metric)


def _walk(spec: EnvironmentSpec, state: EnvState) -> Chart:
    from optarena import plots  # noqa: PLC0415 # as above

    with closing(optarena.make(spec.id)) as env:
        env.apply(state)
        return plots.walk(env)


def _blocks(spec: EnvironmentSpec, state: EnvState) -> Chart:
    from optarena import plots  # noqa: PLC0415 # as above

    table, actions = spec.parse(state.commandline)
    with errors().status(in_style(f"measuring {state.benchmark}", "")):
        result = replay(
            environment=spec,
            benchmark=datasets().benchmark(state.benchmark),
            actions=actions,
            action_space=None if table is spec.action_table else table.name,
        )
    if not result.ok:
        message = f"The replay of {state.benchmark} failed: {result.detail}"
        raise InvalidInput(
            message, field="commandline", value=state.commandline[:100], remedy="Correct the row."
        )
    return plots.blocks(result)
