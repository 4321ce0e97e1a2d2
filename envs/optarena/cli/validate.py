"""``optarena validate`` and ``carry``: replay states, here or in another release of their compiler too."""

from __future__ import annotations

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from optarena.cli import console
from optarena.client import URL_VARIABLE, Client, ClientError
from optarena.datasets import Benchmark, datasets
from optarena.errors import InvalidDocument, InvalidInput, Problem
from optarena.specs import BoardSpec, EnvironmentSpec, board_specs, environment_specs, unknown_name
from optarena.specs.board import measured_intervals, optimistic_claims
from optarena.state import EnvState, format_of, repeated_rows, write_states
from optarena.validation import (
    NOT_ACCEPTED,
    CarriedState,
    Expected,
    ValidationResult,
    carry_state,
    drift,
    expected,
    validate_state,
)

if TYPE_CHECKING:
    from rich.text import Text

    from optarena.specs.results import Progress


_LACKING: Final = 5
_INPUT: Final = Path("-")


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
@click.option(
    "--nproc",
    type=console.ProcessCount(),
    default=1,
    help=f"States validated at a time: a number, or {console.ALL_CORES} for one on each core.",
)
@click.option(
    "--repeats", type=click.IntRange(1, 100), default=1, help="How many times each workload is run."
)
@click.option("--reward-space", help="The reward space of the states' rewards. [default: the environment's]")
@console.json_output
@click.option("--board", help="The board, as in its address, whose environment and rules count.")
@console.server
@console.environment
@console.sandbox
def validate(  # noqa: PLR0913 # one argument for each option
    file: Path,
    *,
    nproc: int,
    repeats: int,
    reward_space: str | None,
    board: str | None,
    url: str | None,
    env: str | None,
    as_json: bool,
    no_sandbox: bool,
) -> int:
    """Replay every state of FILE (CSV or JSON; - for standard input) and check its reward and claims.

    FILE may also be a submission's document as the REST API takes it, whose board counts if it is known here.
    The states may be of any of the environment's action spaces. The verdict is a runner's: with --board it
    also says whether the ratio on that board, which is then shown, is plausible, and takes one row of each
    benchmark. A server that is named by --url or $OPTARENA_URL is asked which programs the board compares.
    The exit code is 0 if every state is valid and accepted, 1 if one is not, and 2 if FILE cannot be used. In
    that case each of its problems is shown, with its row.
    """
    text = console.read_input() if file == _INPUT else console.read_text(file)
    own = console.read_about(text).get("board")
    if board is None and env is None:
        board = next((one.slug for one in board_specs() if one.slug == own), None)
    ranked = None if board is None else console.board_named(board, env)
    if ranked is not None and url:
        ranked = _as_on_the_server(ranked, url)
    named = env if ranked is None else ranked.environment
    spec, rows = console.read_rows_of(text, file, named)
    if reward_space is not None:
        spec.reward(reward_space)  # an unknown one is reported before anything is replayed
    benchmarks = _benchmarks(rows)
    results = _validated(
        [state for _, state in rows],
        benchmarks,
        nproc,
        environment=spec,
        reward_space=reward_space,
        repeats=repeats,
        sandbox=not no_sandbox,
    )
    repeated = {} if ranked is None else repeated_rows((row, state.benchmark) for row, state in rows)
    judged = [
        Expected(verdict=NOT_ACCEPTED, remark=f"{repeated[row]} A board takes one row of each.")
        if row in repeated
        else expected(result, spec, benchmark, ranked)
        for (row, _), result, benchmark in zip(rows, results, benchmarks, strict=True)
    ]
    if as_json:
        found = [
            {
                "row": row,
                "verdict": one.verdict,
                "remark": one.remark,
                "ratio": one.ratio,
                "result": result.as_dict(),
            }
            for (row, _), one, result in zip(rows, judged, results, strict=True)
        ]
        valid = sum(result.ok for result in results)
        document = {"environment": spec.slug, "states": len(results), "valid": valid, "results": found}
        console.print_json(document)
    else:
        _show(spec, results, judged, ranked)
        if reward_space is None and any(one.field == "reward" for each in results for one in each.problems):
            remedy = "If the file has those of another reward space, name it by --reward-space."
            console.output().print(f"Rewards were compared in {spec.reward_space}. {remedy}")
        _show_remarks([row for row, _ in rows], judged, is_asked=bool(url))
    is_valid = all(result.ok for result in results)
    return 0 if is_valid and all(one.verdict != NOT_ACCEPTED for one in judged) else 1


def _as_on_the_server(board: BoardSpec, url: str) -> BoardSpec:
    # It may have chosen other programs.
    try:
        with Client(url, token="") as client:
            found = client.board(board.slug)
            return replace(board, dataset=str(found["dataset"]), benchmarks=tuple(found["benchmarks"] or ()))
    except ClientError as error:
        console.show_error(f"{error} The programs of {board.slug} are taken from here.", kind="warning")
        return board


def _benchmarks(rows: list[tuple[int, EnvState]]) -> list[Benchmark]:
    known, found, problems = datasets(), [], []
    for row, state in rows:
        try:
            found.append(known.benchmark(state.benchmark))
        except InvalidInput as error:
            problems.append(Problem.of(error, field="benchmark", row=row))
    if problems:
        raise InvalidDocument(problems)
    return found


class _Interrupted(Exception):
    """The user has pressed Ctrl-C: ends a replay."""


def _validated(
    states: list[EnvState],
    benchmarks: list[Benchmark],
    nproc: int,
    **how: Any,  # noqa: ANN401 # for ``validate_state``
) -> list[ValidationResult]:
    # Threads are enough: each state has processes of its own.
    stopped = threading.Event()

    def watch(_: Progress) -> None:
        if stopped.is_set():
            raise _Interrupted

    with console.progress_bar() as bar, ThreadPoolExecutor(nproc) as pool:
        task = bar.add_task("validating", total=len(states))

        def one(state: EnvState, benchmark: Benchmark) -> ValidationResult:
            result = validate_state(state, benchmark=benchmark, on_progress=watch, **how)
            bar.advance(task)
            return result

        try:
            return list(pool.map(one, states, benchmarks))
        except BaseException:  # KeyboardInterrupt too: leave nothing behind
            from optarena.service.client.zygote import close_all  # noqa: PLC0415 # Linux only

            stopped.set()
            pool.shutdown(wait=False, cancel_futures=True)
            close_all()  # the threads wait for processes that may work for long
            raise


def _show(
    spec: EnvironmentSpec, results: list[ValidationResult], judged: list[Expected], board: BoardSpec | None
) -> None:
    metric = (spec.cost_metric or spec.metrics[0]).name
    if board is not None and spec.metric(board.metric).exact:  # times have a column of their own
        metric = board.metric
    remarks = [_remarks(result, one, spec) for result, one in zip(results, judged, strict=True)]
    rows: list[dict[str, str | Text]] = []
    for result, one, remark in zip(results, judged, remarks, strict=True):
        row: dict[str, str | Text] = {
            "benchmark": result.state.benchmark,
            "state": console.styled("valid" if result.ok else "invalid"),
            "verdict": console.styled(one.verdict),
        }
        if board is not None:
            row["ratio"] = _rating(one)
        row[metric] = console.number(None if result.replay is None else result.replay.metrics.get(metric))
        row["reward"] = console.number(result.reward)
        if spec.measure is not None:
            row["measured"] = _measured(result, spec)
        problems = (f"{problem.reason}: {problem.message}" for problem in result.problems)
        row["problem"] = "; ".join(problems)
        if any(remarks):
            row["remark"] = remark
        rows.append(row)
    console.table(list(rows[0]), (list(row.values()) for row in rows), numbers=("ratio", metric, "reward"))
    console.output().print(f"{sum(result.ok for result in results)} of {len(results)} states are valid")


def _show_remarks(rows: list[int], judged: list[Expected], *, is_asked: bool) -> None:
    told: dict[str, list[int]] = {}
    for row, one in zip(rows, judged, strict=True):
        if one.remark and one.verdict != NOT_ACCEPTED:
            told.setdefault(one.remark, []).append(row)
    for remark, places in told.items():
        console.output().print(f"{console.places('row', places)}: {remark}")
    if told and not is_asked:
        console.output().print(f"A server may have chosen others: set ${URL_VARIABLE} to ask it.")


def _rating(judged: Expected) -> str:
    if judged.ratio is None:
        return ""
    interval = "" if judged.interval is None else f" ({judged.interval[0]:.4f} to {judged.interval[1]:.4f})"
    return f"{judged.ratio:.4f}{interval}"


def _measured(result: ValidationResult, spec: EnvironmentSpec) -> str:
    # Each with the interval that decides on a claim.
    if result.replay is None:
        return ""
    metrics, intervals = result.replay.metrics, measured_intervals(result.replay.measurement)
    names = [name for name in spec.claimable_names if name in metrics and name in intervals]
    return "; ".join(
        f"{name} {metrics[name]:.4g} ({intervals[name][0]:.4g} to {intervals[name][1]:.4g})" for name in names
    )


def _remarks(result: ValidationResult, judged: Expected, spec: EnvironmentSpec) -> str:
    measurement = {} if result.replay is None else result.replay.measurement
    remarks = optimistic_claims(result.state.claims, spec.metrics, measurement)
    if result.comparison == "not-compared":
        remarks.append(f"Its reward was not compared: {result.remark}")
    steps = () if result.replay is None else result.replay.steps
    if lacking := [f"{step.index} ({step.name})" for step in steps if step.about == ""]:
        shown = ", ".join(lacking[:_LACKING]) + (", …" if len(lacking) > _LACKING else "")
        remarks.append(f"The program has nothing that these steps name, so they had no effect: {shown}.")
    if judged.remark and judged.verdict == NOT_ACCEPTED:
        remarks.append(judged.remark)
    return " ".join(remarks)


def successor_named(name: str) -> EnvironmentSpec:
    # By its slug, with its version or without.
    known = {one.slug: one for one in environment_specs() if one.predecessor}
    found = known.get(name) or known.get(f"{name}-v0")
    if found is None:
        raise unknown_name("environment with a predecessor", name, list(known))
    return found


@click.command()
@click.argument("file", type=console.FILE)
@click.option("--to", "target", required=True, help="The environment of the other release.")
@click.option("--metric", help="What is compared, an exact metric. [default: that of traces]")
@click.option(
    "--output", type=console.RESULTS_FILE, help="File for the states that are not refused, .csv or .json."
)
@click.option("--nproc", type=console.ProcessCount(), default=1, help="States at a time.")
@console.json_output
@console.sandbox
def carry(  # noqa: PLR0913 # one argument for each option
    file: Path,
    *,
    target: str,
    metric: str | None,
    output: Path | None,
    nproc: int,
    as_json: bool,
    no_sandbox: bool,
) -> int:
    """Say what becomes of the states of FILE in another release of their compiler.

    Each is translated, and replayed in both releases with its workloads. It is the same, better or worse, or
    it is refused: an action does not exist there, or a replay fails. The exit code is 0 if none is refused.
    """
    spec = successor_named(target)
    compared = spec.metric(metric or (spec.cost_metric or spec.metrics[0]).name)
    if not compared.exact:
        remedy = "Name one of: " + ", ".join(one.name for one in spec.metrics if one.exact) + "."
        raise InvalidInput(
            f"{compared.name} is measured.", field="metric", value=compared.name, remedy=remedy
        )
    if missing := spec.why_unavailable():
        raise InvalidInput(missing, field="to", value=target)
    if output is not None and not output.parent.is_dir():
        remedy = "Make the folder first."
        raise InvalidInput(
            f"There is no folder {output.parent}.", field="output", value=str(output), remedy=remedy
        )
    _, rows = console.read_rows_of(console.read_text(file), file, spec.predecessor)

    def one(state: EnvState) -> CarriedState:
        found = carry_state(state, spec, compared.name, sandbox=not no_sandbox)
        bar.advance(task)
        return found

    with console.progress_bar() as bar, ThreadPoolExecutor(nproc) as pool:
        task = bar.add_task("carrying", total=len(rows))
        carried = list(pool.map(one, [state for _, state in rows]))
    lower = compared.lower_is_better
    verdicts = [drift(found.before, found.after, lower_is_better=lower) for found in carried]
    if output is not None:
        states = [found.state for found in carried if found.state is not None]
        output.write_text(write_states(states, format=format_of(output)), encoding="utf-8")
    shown = [
        {
            "benchmark": state.benchmark,
            "verdict": verdict,
            "before": found.before,
            "after": found.after,
            "reason": found.reason,
        }
        for (_, state), found, verdict in zip(rows, carried, verdicts, strict=True)
    ]
    counts = Counter(verdicts)
    if as_json:
        console.print_json({"environment": spec.slug, "metric": compared.name, "results": shown})
    else:
        cells = [
            [
                one["benchmark"],
                one["verdict"],
                console.number(found.before),
                console.number(found.after),
                found.reason,
            ]
            for one, found in zip(shown, carried, strict=True)
        ]
        columns = ("benchmark", "verdict", spec.predecessor, spec.slug, "reason")
        console.table(columns, cells, numbers=(spec.predecessor, spec.slug))
        console.output().print(", ".join(f"{number} {verdict}" for verdict, number in sorted(counts.items())))
    return 1 if counts["refused"] else 0
