"""``optarena carry``: translates states for another release of their compiler, and replays them in both."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import click

from optarena.cli import console
from optarena.errors import InvalidInput
from optarena.specs import environment_specs, unknown_name
from optarena.state import format_of, write_states
from optarena.validation import CarriedState, carry_state, drift

if TYPE_CHECKING:
    from optarena.specs import EnvironmentSpec
    from optarena.state import EnvState


def successor_named(name: str) -> EnvironmentSpec:
    # By its slug, with its version or without.
    known = {one.slug: one for one in environment_specs() if one.predecessor}
    found = known.get(name) or known.get(f"{name}-v0")
    if found is None:
        raise unknown_name("environment with a predecessor", name, list(known))
    return found


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--to", "target", required=True, help="The environment of the other release.")
@click.option("--metric", help="What is compared, an exact metric. [default: that of traces]")
@click.option(
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File for the states that are not refused.",
)
@click.option("--nproc", type=console.ProcessCount(), default=1, show_default=True, help="States at a time.")
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
