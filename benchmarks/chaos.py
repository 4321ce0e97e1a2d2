"""A whole server with two workers under random faults: no verdict may differ from one without faults.

    python benchmarks/chaos.py [--verifications 1000] [--faults N] [--kinds N] [--seed N] [--minutes M]

Every piece of work is first replayed in a calm process. Then the server verifies some of them in calm, and
the rest while processes are killed, stopped and cut off, and disks are full. Afterwards each verification
must have ended exactly once with the calm result; nothing may be lost, doubled or left behind. Exits 1 if
anything was. The seed draws work, faults and their order; when exactly a fault hits is the machine's.

As root, the run moves into namespaces of its own, in which it can fill a disk and cut a network.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT))

from faults.rooms import enter, inside  # noqa: E402 # the folder above holds what it imports
from faults.work import draw, write_danger  # noqa: E402 # as above

if TYPE_CHECKING:
    from types import FrameType

CALM_PART: Final = 5
"""For so many replays under faults there is one before them."""
WORK_OF_A_FAULT: Final = 3.5


def main() -> None:
    """Do one run, print it, and exit 1 if anything is wrong."""
    arguments = _arguments()
    enter()
    signal.signal(signal.SIGTERM, _interrupt)
    print(
        f"chaos, {os.cpu_count()} processors, Python {platform.python_version()}, seed {arguments.seed}: "
        f"{arguments.verifications} verifications under faults",
        flush=True,
    )
    began = time.monotonic()
    folder = Path(tempfile.mkdtemp(prefix="optarena-chaos-", dir="/tmp"))
    folder.chmod(0o711)  # the database's user must be able to enter it
    try:
        failed = _run(arguments, folder, apart=inside())
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{'failed' if failed else 'passed'} after {time.monotonic() - began:.0f} s")
    sys.exit(failed)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--verifications", type=int, default=1_000)
    parser.add_argument("--faults", type=int, help=f"default: one for {WORK_OF_A_FAULT} verifications")
    parser.add_argument("--kinds", type=int, help="so many kinds of faults, drawn by the seed; default: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, help="allowed time; default: 5, and 4 s per verification")
    found = parser.parse_args()
    if found.verifications < 1:
        parser.error("--verifications must be at least 1")
    if found.kinds is not None and found.kinds < 1:
        parser.error("--kinds must be at least 1")
    if found.faults is None:
        found.faults = int(found.verifications / WORK_OF_A_FAULT)
    if found.minutes is None:
        found.minutes = 5 + found.verifications * 4 / 60
    return found


def _run(arguments: argparse.Namespace, folder: Path, *, apart: bool) -> bool:
    """Everything; whether something was wrong."""
    danger = write_danger(folder / "site" / "datasets")
    os.environ["OPTARENA_SITE_DATA"] = str(folder / "site")
    from faults.arena import Arena  # noqa: PLC0415 - its processes inherit the variable above
    from faults.reference import replay_calmly  # noqa: PLC0415 - as above
    from faults.report import report  # noqa: PLC0415 - as above
    from faults.run import Plan, Run  # noqa: PLC0415 - as above

    first = max(arguments.verifications // CALM_PART, 2)
    pieces = draw(first + arguments.verifications, arguments.seed)
    calm = replay_calmly(pieces)
    print(f"replayed {len(pieces)} pieces of work without a server in {calm.seconds:.0f} s", flush=True)
    plan = Plan(
        pieces[:first],
        pieces[first:],
        arguments.faults,
        arguments.kinds,
        arguments.seed,
        arguments.minutes,
    )
    with Arena(folder, apart=apart, danger=danger) as arena:
        run = Run(arena, plan, calm.results)
        run.carry_out()
        report(run)
    return bool(run.problems)


def _interrupt(number: int, frame: FrameType | None) -> NoReturn:  # noqa: ARG001 - a handler's signature
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
