"""What taking turns costs: the queries of leases and forecasts with long queues, on a real PostgreSQL.

    python benchmarks/turns.py [--queued 100000] [--payers 2 1000] [--repeats N]

One payer has so many queued replays, and each of the others has one. The script prints the medians of the
order of the payers, of a lease and of forecasts, and the plan of the query that orders the payers.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from typing import TYPE_CHECKING, Any, Final

from measuring import aim, milliseconds, show
from scratch import make_board, scratch_database

if TYPE_CHECKING:
    from collections.abc import Callable

AIMS_MS: Final = {
    "order of the payers": 5.0,
    "lease": 10.0,
    "forecast": 20.0,
    "forecast, end of the long line": 100.0,
}
_HARDWARE: Final = "x86_64-cpu"


def fill(queued: int, payers: int) -> None:
    """Queue replays: all but one of each further payer belong to the first."""
    from django.db import connection  # noqa: PLC0415 - needs Django

    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE runner_demand, runner_turn, runner_payer, runner_verification CASCADE")
        cursor.execute(_PAYERS, {"payers": payers})
        cursor.execute(_VERIFICATIONS, {"queued": queued + payers - 1})
        cursor.execute(_DEMANDS, {"queued": queued})
        cursor.execute("VACUUM ANALYZE")


_PAYERS: Final = """
INSERT INTO runner_payer (id, name, used_seconds, counted_at)
SELECT number, 'user:' || number, 0, now() FROM generate_series(1, %(payers)s) AS number
"""
_VERIFICATIONS: Final = """
INSERT INTO runner_verification (
    id, environment_version_id, environment_digest, benchmark_id, benchmark_uri, benchmark_sha256, actions,
    actions_sha256, hardware_class, state, reason, detail, attempt, last_seq, available_at, worker,
    progress_phase, progress_done, progress_total, created_at)
SELECT gen_random_uuid(), version.id, version.digest, benchmark.id, benchmark.uri, benchmark.sha256, '[1,2]',
    md5(number::text) || md5(number::text), 'x86_64-cpu', 'queued', '', '', 0, 1, now(), '', '', 0, 0,
    now() + number * interval '1 microsecond'
FROM generate_series(1, %(queued)s) AS number,
    (SELECT * FROM runner_environmentversion WHERE env_id = 'llvm-ic-v0' LIMIT 1) AS version,
    (SELECT * FROM datasets_benchmark LIMIT 1) AS benchmark
"""
_DEMANDS: Final = """
INSERT INTO runner_demand (
    verification_id, payer_id, hardware_class, created_at, waiting, available_at, seconds)
SELECT id, greatest(1, number - %(queued)s + 1), hardware_class, created_at, TRUE, available_at, 1.5
FROM (SELECT *, row_number() OVER (ORDER BY created_at) AS number FROM runner_verification) AS numbered
ORDER BY number
"""


def measure(payers: int, repeats: int) -> None:
    """Lease, record and forecast in turn."""
    from runner import services  # noqa: PLC0415 - needs Django
    from runner.clock import database_now  # noqa: PLC0415 - as above
    from runner.forecasts import forecast  # noqa: PLC0415 - as above
    from runner.models import Demand  # noqa: PLC0415 - as above
    from runner.services.turns import payers_in_turn  # noqa: PLC0415 - as above

    def lease() -> None:
        if services.lease_next(worker="benchmark") is None:
            raise SystemExit("Nothing could be leased.")

    last = Demand.objects.filter(payer=payers).order_by("-id")[:15].values("verification")
    longest = Demand.objects.filter(payer=1).order_by("-id")[:15].values("verification")
    asked: dict[str, Callable[[], Any]] = {
        "order of the payers": lambda: payers_in_turn(hardware_class=_HARDWARE, now=database_now()),
        "lease": lease,
        "forecast": lambda: forecast(payer=f"user:{payers}", verifications=last, hardware_class=_HARDWARE),
        "forecast, end of the long line": lambda: forecast(
            payer="user:1", verifications=longest, hardware_class=_HARDWARE
        ),
    }
    for name, ask in asked.items():
        ask()
        median = statistics.median(milliseconds(ask) for _ in range(repeats))
        show(f"{name}, {payers:,} payers", median, aim(median, AIMS_MS[name]))


def explain() -> None:
    """Print the plan of the query that orders the payers."""
    from django.db import connection  # noqa: PLC0415 - needs Django

    from runner.clock import database_now  # noqa: PLC0415 - as above
    from runner.services import turns  # noqa: PLC0415 - as above

    given: dict[str, Any] = {
        "hardware_class": _HARDWARE,
        "now": database_now(),
        "budget": 14_400,
        "window": 86_400,
    }
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS) {turns.ORDER}", given)
        for (line,) in cursor.fetchall():
            print("   ", line)


def main() -> None:
    """Measure for each number of payers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--queued", type=int, default=100_000)
    parser.add_argument("--payers", type=int, nargs="+", default=[2, 1_000])
    parser.add_argument("--repeats", type=int, default=51)
    given = parser.parse_args()
    print(f"turns, {os.cpu_count()} processors, {given.queued:,} queued replays of one payer")
    with scratch_database():
        make_board("many", 1)
        for payers in given.payers:
            start = time.perf_counter()
            fill(given.queued, payers)
            print(f"  {payers:,} payers, filled in {time.perf_counter() - start:.0f} s")
            measure(payers, given.repeats)
            if payers == min(given.payers):
                explain()


if __name__ == "__main__":
    main()
