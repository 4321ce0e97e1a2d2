"""What step data cost: the export, the nightly one, the size on disk, `load`, and a Minari dataset.

    python benchmarks/data.py [--steps 100000 1000000] [--sequences 60]

*Export* fills a real PostgreSQL with verified entries and runs `manage.py export_data` in a process of its
own: its CPU time, its memory, and the bytes of a step. *Nightly* adds one entry and exports again. *Load*
reads all releases, as arrays and as a data frame. *Minari* replays random walks on kernels-v0, and compares
the steps in a second with the bare walk of the same sequences by as many environments.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from kit import ROOT, aim, analyse, fill_board, make_board, scratch_database, sha256_of, show

from optarena.data.minari_datasets import write_minari
from optarena.data.releases import Release, releases_in
from optarena.data.tables import ReleaseWriter, read_releases
from optarena.data.walks import DataSequence, in_environments, trace_sequence
from optarena.datasets import datasets
from optarena.specs import environment_spec

if TYPE_CHECKING:
    from leaderboard.models import Board, SubmissionItem
    from optarena.env import CompilerEnv

PROGRAMS: Final = 31
LENGTH: Final = 45
_BATCH: Final = 500
# A child's ru_maxrss has the memory of this process, too, before the new program starts.
_EXPORT: Final = """
import pathlib, runpy, sys
sys.argv = ["manage.py", "export_data"]
runpy.run_path("manage.py", run_name="__main__")
print(pathlib.Path("/proc/self/status").read_text())
"""
AIM_CPU, AIM_MEMORY, AIM_BYTES, AIM_LOAD, AIM_MINARI = 60.0, 300.0, 40.0, 1.0, 0.8
SPEC: Final = environment_spec("llvm-ic-v0")


def trace(rng: np.random.Generator, program: int) -> dict[str, Any]:
    """What a worker records: two of three steps have an effect, as of the agents' sequences."""
    names = SPEC.action_table.names
    digest, cost, steps = sha256_of(f"{program}")[:40], 1000, []
    for index, action in enumerate(rng.integers(len(names), size=LENGTH).tolist()):
        has_effect = bool(rng.random() < 2 / 3)
        if has_effect:
            digest, cost = rng.bytes(20).hex(), cost - int(rng.integers(10))
        step = {"index": index, "action": action, "name": names[action], "had_no_effect": not has_effect}
        steps.append({**step, "digest": digest, "cost": cost})
    return {"version": 2, "initial": {"digest": sha256_of(f"{program}")[:40], "cost": 1000}, "steps": steps}


def record(items: list[SubmissionItem], seed: int) -> None:
    """Give items a verification each, which has a trace, and open them."""
    from django.utils import timezone  # noqa: PLC0415 - needs Django

    from leaderboard.models import SubmissionItem  # noqa: PLC0415 - as above
    from runner.models import State, Verification  # noqa: PLC0415 - as above

    rng, now = np.random.default_rng(seed), timezone.now()
    for start in range(0, len(items), _BATCH):
        batch = items[start : start + _BATCH]
        made = Verification.objects.bulk_create(
            Verification(
                environment_version=item.submission.board.environment_version,
                environment_digest=item.submission.board.environment_version.digest,
                benchmark=item.benchmark,
                benchmark_uri=item.benchmark_uri,
                benchmark_sha256=item.benchmark.sha256,
                actions=[item.pk],
                actions_sha256=sha256_of(f"{item.pk}"),
                hardware_class="x86_64-cpu",
                state=State.RECORDED,
                result=trace(rng, item.position),
                metrics={},
                available_at=now,
                created_at=now,
                finished_at=now,
            )
            for item in batch
        )
        for item, verification in zip(batch, made, strict=True):
            item.verification, item.opens_at, item.decided_at = verification, now, now
        SubmissionItem.objects.bulk_update(batch, ["verification", "opens_at", "decided_at"])


def add_entries(board: Board, owner: Any, entries: int) -> int:  # noqa: ANN401 - a user
    from leaderboard.models import SubmissionItem  # noqa: PLC0415 - needs Django

    fill_board(board, owner, entries)
    related = ("submission__board__environment_version", "benchmark")
    items = list(SubmissionItem.objects.filter(verification=None).select_related(*related))
    record(items, entries)
    analyse()
    return len(items) * LENGTH


def export(root: Path) -> tuple[float, float]:
    """The CPU seconds and the MiB of one export."""
    command = [sys.executable, "-c", _EXPORT]
    process = subprocess.Popen(  # noqa: S603 - ours
        command, cwd=ROOT, env={**os.environ, "OPTARENA_DATA_ROOT": str(root)}, stdout=subprocess.PIPE
    )
    said = process.stdout.read().decode() if process.stdout is not None else ""
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"manage.py export_data failed: {said}")
    return usage.ru_utime + usage.ru_stime, int(said.split("VmHWM:")[1].split()[0]) / 1024


def exports(sizes: list[int], folder: Path) -> None:
    from tests.factories import make_user  # noqa: PLC0415 - needs Django

    owner, nights = make_user("ada"), []
    board, steps = make_board("data", PROGRAMS), 0
    idle, _ = export(folder / "nothing")
    show("a start of manage.py that exports nothing", idle, unit="s of CPU")
    for size in sizes:
        root = folder / f"{size}"
        steps += add_entries(board, owner, max(1, (size - steps) // (PROGRAMS * LENGTH)))
        print(f"\n{steps:,} steps")
        busy, memory = export(root)
        per_million = 1e6 / steps
        show("export", busy, f"{aim((busy - idle) * per_million, AIM_CPU, 'per million, ')}", "s of CPU")
        show("  memory", memory, aim(memory, AIM_MEMORY), "MiB")
        releases = list(releases_in(root).values())
        each = sum(one.size_bytes for one in releases) / steps
        show("  a step on disk", each, aim(each, AIM_BYTES), "bytes")
        start = time.perf_counter()
        data = read_releases(releases)
        data.arrays()
        seconds = time.perf_counter() - start
        show("load, as arrays", seconds, aim(seconds * per_million, AIM_LOAD, "per million, "), "s")
        start = time.perf_counter()
        data.frame()
        show("  and as a data frame", time.perf_counter() - start, unit="s")
        steps += add_entries(board, owner, 1)
        nights.append(export(root)[0])
        show("nightly: one entry more", nights[-1], unit="s of CPU")
    if len(nights) > 1:
        ratio = nights[-1] / nights[0]
        show("nightly, largest to smallest", ratio, unit="times")


def minari(sequences: int, folder: Path) -> None:
    os.environ["MINARI_DATASETS_PATH"] = str(folder / "minari")
    rng, nproc = np.random.default_rng(0), min(2, len(os.sched_getaffinity(0)))
    programs = list(datasets()["kernels-v0"])
    walks = [
        DataSequence(
            benchmark=programs[number % len(programs)],
            actions=tuple(rng.integers(len(SPEC.action_table.names), size=LENGTH).tolist()),
            agent="random",
            origin=f"{number}",
        )
        for number in range(sequences)
    ]
    walks.sort(key=lambda one: one.benchmark.uri)
    described = Release(name="walks-v0", title="W", description="W", released="2026-11-29", tables={})
    with ReleaseWriter(folder / "walks", described) as writer:
        for one in in_environments(SPEC, trace_sequence, walks, nproc=nproc):
            writer.add(*one)
        data = read_releases([writer.finish()])
    names = ["Autophase", "InstCountNorm"]

    def bare(env: CompilerEnv, walk: DataSequence) -> int:
        env.reset(options={"benchmark": walk.benchmark})
        return len(env.steps(walk.actions, observation_spaces=names, reward_spaces=[SPEC.reward_space]))

    def walked() -> float:
        start = time.perf_counter()
        steps = sum(in_environments(SPEC, bare, walks, nproc=nproc))
        return steps / (time.perf_counter() - start)

    def written(turn: int) -> float:
        start = time.perf_counter()
        made = write_minari(data, f"optarena/walks-v{turn}", observations=names, nproc=nproc)
        return float(made.total_steps) / (time.perf_counter() - start)

    print(f"\nMinari: {sequences} walks of {LENGTH} steps, {nproc} at a time, in turns")
    rates = [(walked(), written(turn)) for turn in range(5)]
    first, second = (float(np.median(column)) for column in zip(*rates, strict=True))
    show("bare walk", first, unit="steps/s")
    show("Minari dataset", second, unit="steps/s")
    ratio = float(np.median([other / one for one, other in rates]))
    show(
        "  of the bare walk",
        ratio,
        f"aim >= {AIM_MINARI}: {'met' if ratio >= AIM_MINARI else 'MISSED'}",
        "times",
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--steps", type=int, nargs="*", default=[100_000, 1_000_000])
    parser.add_argument("--sequences", type=int, default=60)
    given = parser.parse_args()
    print(f"{platform.processor() or platform.machine()}, load {os.getloadavg()[0]:.1f}")
    folder = Path(tempfile.mkdtemp(prefix="optarena-data-"))
    try:
        if given.steps:
            with scratch_database():
                exports(given.steps, folder)
        if given.sequences:
            minari(given.sequences, folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
