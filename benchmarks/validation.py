"""``optarena validate`` of many rows beside the bare replays of the same rows.

    python benchmarks/validation.py [--rows N]

Each row is a random sequence of 20 passes for one of the programs of ``kernels-v0``. The bare replays are
calls of ``optarena.replay.replay`` in one process, one after the other. ``--repeats 2`` runs each program
once more than the replay does, so its time is shown apart.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from kit import aim, show

from optarena.datasets import datasets
from optarena.replay import replay
from optarena.specs import environment_spec
from optarena.state import EnvState, write_states

SPEC: Final = environment_spec("llvm-ic-v0")
STEPS: Final = 20
MOST: Final = 1.2


def rows(number: int) -> list[tuple[str, list[int]]]:
    chance = random.Random(0)  # noqa: S311 - the same rows each time
    uris = [str(one.uri) for one in datasets()["kernels-v0"]]
    names = SPEC.action_table.names
    return [
        (uris[row % len(uris)], [chance.randrange(len(names)) for _ in range(STEPS)]) for row in range(number)
    ]


def bare(given: list[tuple[str, list[int]]]) -> float:
    start = time.perf_counter()
    for uri, actions in given:
        replay(environment=SPEC, benchmark=datasets().benchmark(uri), actions=actions)
    return time.perf_counter() - start


def validated(file: Path, repeats: int) -> float:
    command = "import sys; from optarena.cli import main; sys.exit(main())"
    arguments = ["validate", str(file), "--repeats", str(repeats), "--json"]
    start = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", command, *arguments], stdout=subprocess.DEVNULL)  # noqa: PLW1510, S603 - says which command failed
    if done.returncode:
        raise SystemExit("`optarena validate` has failed.")
    return time.perf_counter() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1000)
    number = parser.parse_args().rows
    given = rows(number)
    states = [EnvState(benchmark=uri, commandline=SPEC.commandline(actions)) for uri, actions in given]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "results.csv")
        file.write_text(write_states(states, format="csv"))
        bare(given[:10])  # programs are loaded once
        alone = bare(given)
        once, twice = (validated(file, repeats) for repeats in (1, 2))
    print(f"{number} rows of {STEPS} passes")
    show("bare replays", alone, unit="s")
    show("optarena validate --repeats 1", once, f"x {once / alone:.2f}; {aim(once / alone, MOST)}", unit="s")
    show("optarena validate --repeats 2", twice, f"x {twice / alone:.2f}", unit="s")


if __name__ == "__main__":
    main()
