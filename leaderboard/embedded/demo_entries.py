"""What the demo submits besides the results of its agents: what boards do with other kinds of entries."""

from __future__ import annotations

import csv
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from optarena.specs import environment_spec
from optarena.state import read_states, write_states

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from optarena.specs import BoardSpec
    from optarena.state import EnvState


METRIC: Final = "ir_instructions"


def half(results: Path) -> Path:
    """The results of every other program."""
    return _written(results, "half", _states(results)[::2])


def overstated(results: Path) -> Path:
    """The same results, of which the first claims an instruction less than it has: a replay refutes that."""
    first, *others = _states(results)
    claims = {**first.claims, METRIC: first.claims[METRIC] - 1}
    return _written(results, "overstated", [replace(first, claims=claims), *others])


def without_claims(results: Path) -> Path:
    """The same sequences, for a board that compares something else."""
    return _written(
        results, "unclaimed", [replace(state, claims={}, reward=None) for state in _states(results)]
    )


def _states(results: Path) -> list[EnvState]:
    return read_states(results.read_text(), format="csv", metrics=[METRIC])


def _written(results: Path, kind: str, states: Iterable[EnvState]) -> Path:
    file = results.with_name(f"{results.stem}-{kind}.csv")
    file.write_text(write_states(states, format="csv"), encoding="utf-8")
    return file


def first_steps(board: BoardSpec, uris: Iterable[str], folder: Path) -> Path:
    """The few actions of the environment's probe, for each of a board's benchmarks."""
    spec = environment_spec(board.environment)
    line = spec.commandline(spec.probe_actions)
    file = folder / f"{board.slug}.csv"
    with file.open("w", newline="") as written:
        rows = csv.writer(written)
        rows.writerow(["benchmark", "reward", "walltime", "commandline"])
        rows.writerows([uri, "", 0, line] for uri in uris)
    return file
