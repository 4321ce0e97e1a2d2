"""The work of a run: replays that all differ, of random sequences and of sequences known to fail.

Everything is drawn from a seed. The sequences that fail belong to a board of their own, whose environment has
the passes that crash, hang, grow and miscompile.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any, Final

from optarena.datasets import DatasetProgram, Workload, datasets, write_manifest
from optarena.llvm.actions import CURATED, UNSAFE
from optarena.llvm.module import Module
from optarena.replay import replay
from tests.kit.folders import ROOT

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.specs.results import ReplayResult

BOARD: Final = "llvm-ic"
DANGER_BOARD: Final = "danger"
DANGER: Final = "danger-v0"
ENVIRONMENTS: Final = {BOARD: "llvm-ic-v0", DANGER_BOARD: "llvm-unsafe-v0"}
METRIC: Final = "ir_instructions"
LENGTHS: Final = (1, 3, 10, 30, 60)
MOST_SLOW: Final = 3
"""Sequences of a kind that reaches a limit of time or growth: each occupies a worker for some ten seconds."""

_SHARES: Final = {"random": 0.8, "claim": 0.08, "output": 0.05, "crash": 0.04, "harmless": 0.03}
_SLOW: Final = ("hang", "growth")
_HARMLESS: Final = "strip-dead-debug-info"
_DANGEROUS: Final = {
    "output": ("digits", "structurizecfg"),
    "crash": ("digits", "trigger-crash-module"),
    "growth": ("growth", "module-inline"),
    "hang": ("hang", "attributor"),
    "harmless": ("digits", _HARMLESS),
}
_PROGRAMS: Final = {
    "digits": ROOT / "tests/envs/data/digits.ll",
    "hang": ROOT / "tests/envs/llvm/data/hang.ll",
    "growth": ROOT / "tests/envs/llvm/data/growth.ll",
}
_PRINTED: Final = Workload(name="default", stdin=b"hi\n", expected_stdout=b"917070\n")
MAKE_BOARD: Final = f"""
from leaderboard.boards.services import load_boards
from optarena.specs import BoardSpec
load_boards(definitions=[BoardSpec(slug="{DANGER_BOARD}", title="Danger", description="Passes that fail.",
    dataset="{DANGER}", environment="{ENVIRONMENTS[DANGER_BOARD]}", metric="{METRIC}", baseline_level="Oz")])
"""


@dataclass(frozen=True, slots=True)
class Piece:
    """One replay to ask for.

    Attributes:
        board: The board that it is submitted to.
        kind: How the sequence was drawn.
        uri: The program.
        actions: Indices into the environment's action table.
    """

    board: str
    kind: str
    uri: str
    actions: tuple[int, ...]

    @property
    def item(self) -> dict[str, Any]:
        """It as an item of a submission; some make a claim that is wrong."""
        claims = {"claims": {METRIC: 1}} if self.kind == "claim" else {}
        return {"benchmark": self.uri, "actions": list(self.actions), **claims}


def draw(number: int, seed: int) -> list[Piece]:
    """So many pieces of work, in random order; every kind is there once if there is room."""
    rng = random.Random(seed)  # noqa: S311 - to be drawn again, not to be secret
    uris = [str(benchmark.uri) for benchmark in datasets()["kernels-v0"]]
    kinds = [*_SHARES, *_SLOW * min(MOST_SLOW, number // 100)][:number]
    kinds += rng.choices(list(_SHARES), list(_SHARES.values()), k=number - len(kinds))
    rng.shuffle(kinds)
    makers: dict[str, Callable[[], Piece]] = {
        "random": lambda: _random(rng, uris, "random"),
        "claim": lambda: _random(rng, uris, "claim"),
        **{kind: _counting(kind) for kind in _DANGEROUS},
    }
    made: dict[tuple[str, tuple[int, ...]], Piece] = {}
    for kind in kinds:
        piece = makers[kind]()
        while (piece.uri, piece.actions) in made:  # one action on one program is drawn twice now and then
            piece = makers[kind]()
        made[piece.uri, piece.actions] = piece
    return list(made.values())


def _random(rng: random.Random, uris: list[str], kind: str) -> Piece:
    length = rng.choice(LENGTHS) + rng.randrange(3)
    actions = tuple(rng.randrange(len(CURATED)) for _ in range(length))
    return Piece(BOARD, kind, rng.choice(uris), actions)


def _counting(kind: str) -> Callable[[], Piece]:
    """Makes pieces of one kind, which differ in the number of harmless passes before the one that fails."""
    program, action = _DANGEROUS[kind]

    def pieces() -> Iterator[Piece]:
        before: tuple[int, ...] = ()
        while True:
            actions = (*before, UNSAFE.index(action))
            yield Piece(DANGER_BOARD, kind, f"benchmark://{DANGER}/{program}", actions)
            before = (*before, UNSAFE.index(_HARMLESS))

    return pieces().__next__


def write_danger(parent: Path) -> Path:
    """The dataset of programs that fail under dangerous passes, as a folder."""
    folder = parent / DANGER
    folder.mkdir(parents=True)
    about = "Programs that dangerous passes damage."
    programs = [_program(name, folder) for name in _PROGRAMS]
    write_manifest(folder, title="Danger", description=about, licence="MIT", programs=programs)
    return folder


def _program(name: str, folder: Path) -> DatasetProgram:
    content = _PROGRAMS[name].read_bytes()
    (folder / f"{name}.bc").write_bytes(content)
    with Module.parse(content) as module:
        count = module.instruction_count()
    # As if the compiler's own level gained one instruction: nothing is implausibly good.
    baselines = {METRIC: {"O0": count, "Oz": count - 1}}
    return DatasetProgram(file=f"{name}.bc", baselines=baselines, workloads=(_PRINTED,), run_seconds=0.1)


def replay_calmly(pieces: Sequence[Piece]) -> dict[Piece, ReplayResult]:
    """Replay every piece by the package alone, one on each processor at a time: no server, no faults."""
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        return dict(zip(pieces, pool.map(_replay, pieces), strict=True))


def _replay(piece: Piece) -> ReplayResult:
    return replay(
        environment=ENVIRONMENTS[piece.board],
        benchmark=datasets().benchmark(piece.uri),
        actions=piece.actions,
    )
