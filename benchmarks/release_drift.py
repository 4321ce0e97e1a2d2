"""What becomes of the committed results in LLVM 23: each row replayed in both releases, with its workloads.

Writes ``leaderboard/boards/drift.json``, which the page Drift shows. A result that the file has already is
kept while its file and both versions of the environment are the same.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any, Final

import kit  # noqa: F401 # lets the folder above be found

from baselines.reading import CommittedResult, committed
from optarena import limits
from optarena.datasets import datasets
from optarena.env import CompilerEnv
from optarena.specs import BoardSpec, EnvironmentSpec, board_specs, environment_spec
from optarena.state import EnvState
from optarena.validation import carry_state, drift

_FILE: Final = Path(__file__).parents[1] / "leaderboard/boards/drift.json"


def successor(board: BoardSpec) -> BoardSpec | None:
    # The board that compares the same by another release.
    def is_next(one: BoardSpec) -> bool:
        return (
            environment_spec(one.environment).predecessor == board.environment and one.metric == board.metric
        )

    return next(filter(is_next, board_specs()), None)


@cache
def reference(spec: EnvironmentSpec, metric: str, uri: str) -> int:
    observed = spec.metric(metric)
    with CompilerEnv(spec, benchmark=uri) as env:
        env.reset()
        value = env.observe(observed.observation, cpu_seconds=limits.CODE_CPU_SECONDS)
    return int(value)


def row_of(state: EnvState, result: CommittedResult, board: BoardSpec) -> dict[str, Any]:
    spec, metric = environment_spec(board.environment), board.metric
    found = carry_state(state, spec, metric)
    lower = spec.metric(metric).lower_is_better
    if found.before is not None and found.before != state.claims[metric]:
        raise SystemExit(f"{result.name}: {state.benchmark} has {found.before}, not what is committed.")
    return {
        "benchmark": state.benchmark,
        "verdict": drift(found.before, found.after, lower_is_better=lower),
        "before": found.before or state.claims[metric],
        "after": found.after,
        "reference_before": datasets()
        .benchmark(state.benchmark)
        .baseline(metric, result.board.baseline_level),
        "reference_after": reference(spec, board.reference_metric, state.benchmark),
        "reason": found.reason,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="BOARD/AGENT", help="only these of the committed results")
    names = parser.parse_args().names
    known = json.loads(_FILE.read_text()) if _FILE.exists() else {}
    for result in committed():
        board = successor(result.board)
        if board is None or (names and result.name not in names):
            continue
        digests = [environment_spec(one.environment).digest for one in (result.board, board)]
        source = hashlib.sha256(result.path.read_bytes()).hexdigest()
        entry = known.get(result.name, {})
        if (entry.get("digests"), entry.get("sha256")) == (digests, source):
            continue
        rows = []
        for state in result.states:
            rows.append(row_of(state, result, board))
            print(result.name, *list(rows[-1].values())[:4], flush=True)
        about = {"from": result.board.slug, "to": board.slug, "environment": board.environment}
        about["dataset"] = result.board.dataset
        known[result.name] = {
            **about, "agent": result.agent, "digests": digests, "sha256": source, "rows": rows
        }  # fmt: skip
        _FILE.write_text(json.dumps(known, indent=1) + "\n")


if __name__ == "__main__":
    main()
