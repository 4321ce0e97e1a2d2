"""Who has a rank under two rules of credit, by simulation over the committed results of our agents.

    python benchmarks/credit_rules.py [--board llvm-ic@kernels-v0]

Honest agents submit in three orders, and then others take what they could read: verbatim, with a step that
changes the digest of one or of all programs and nothing else, the best of each program, the same with some
results made worse by an instruction, and with one made better. Under the former rule a result was own if its
final state was new, and one own result gave a rank. The present rule is that of `leaderboard/submissions`:
own is what equals no result that could be read, and half of the results or a record give a rank. Readers by
results of their own are not played: here everything is either closed to others or open.
"""

from __future__ import annotations

import argparse
import csv
import math
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from optarena.specs import board_specs

ROOT: Final = Path(__file__).resolve().parents[1]
# In the order of their first submissions.
HONEST: Final = ("random", "oz-list", "greedy", "portfolio", "local", "genetic", "nevergrad")


@dataclass(frozen=True)
class Result:
    value: int
    state: str


Results = dict[str, Result]


@dataclass
class Board:
    """All results that were verified, with whether everybody can read them."""

    entries: list[tuple[Results, bool]] = field(default_factory=list)

    def known(self, uri: str, *, is_open: bool) -> Iterable[Result]:
        return (one[uri] for one, opened in self.entries if opened or not is_open)

    def submit(self, results: Results, *, is_open: bool) -> tuple[int, int, bool, bool]:
        """The numbers of results that are own by the former and the present rule, and whether each ranks."""
        formerly, own, records = 0, 0, 0
        for uri, one in results.items():
            known = list(self.known(uri, is_open=False))
            formerly += one.state not in {other.state for other in known}
            own += one.value not in {other.value for other in self.known(uri, is_open=True)}
            records += all(one.value < other.value for other in known)
        self.entries.append((results, is_open))
        return formerly, own, formerly > 0, 2 * own >= len(results) or records > 0


def read(board: str) -> dict[str, Results]:
    found = {}
    for agent in HONEST:
        file = ROOT / "baselines" / board / agent / "results.csv"
        if file.exists():
            with file.open(encoding="utf-8", newline="") as rows:
                found[agent] = {
                    row["benchmark"]: Result(int(float(row["ir_instructions"])), row["commandline"])
                    for row in csv.DictReader(rows)
                }
    return found


def score(results: Results, best: Mapping[str, int]) -> float:
    """The geometric mean of the ratios to the best of each program."""
    logs = [math.log(best[uri] / one.value) for uri, one in results.items()]
    return math.exp(math.fsum(logs) / len(logs))


def attackers(honest: Mapping[str, Results]) -> dict[str, Results]:
    bests = {
        uri: min((one[uri] for one in honest.values()), key=lambda result: result.value)
        for uri in next(iter(honest.values()))
    }
    leader = min(honest.values(), key=lambda one: -score(one, {uri: r.value for uri, r in bests.items()}))

    def changed(source: Results, number: int, by: int = 0) -> Results:
        return {
            uri: Result(one.value + by, f"{one.state} and a step") if place < number else one
            for place, (uri, one) in enumerate(source.items())
        }

    half = len(bests) // 2
    return {
        "copy of the leader": leader,
        "... one cosmetic step": changed(leader, 1),
        "... a cosmetic step on all": changed(leader, len(leader)),
        "best of every program": bests,
        "... one cosmetic step ": changed(bests, 1),
        "... one result worse": changed(bests, 1, 1),
        f"... {half} results worse": changed(bests, half, 1),
        f"... {half + 1} results worse": changed(bests, half + 1, 1),
        "... one result better": changed(bests, 1, -1),
    }


def show(title: str, rows: Iterable[tuple[str, tuple[int, int, bool, bool], float]], total: int) -> None:
    print(f"\n{title}\n  {'entry':28} {'score':>7}  {'own, former rule':>18}  {'own, present rule':>18}")
    for name, (formerly, own, did_rank, ranks), value in rows:
        words = [
            f"{n}/{total} {'ranked' if r else 'no rank'}" for n, r in ((formerly, did_rank), (own, ranks))
        ]
        print(f"  {name:28} {value:7.4f}  {words[0]:>18}  {words[1]:>18}")


def simulate(board: str) -> bool:
    honest = read(board)
    best = {uri: min(one[uri].value for one in honest.values()) for uri in next(iter(honest.values()))}
    print(f"{board}: {', '.join(honest)}; the score is relative to the best of each program")
    good = True
    for title, order, is_open in (
        ("in this order, each closed", list(honest), False),
        ("in the reverse order, each closed", list(honest)[::-1], False),
        ("in this order, each opened at once", list(honest), True),
        ("in the reverse order, each opened at once", list(honest)[::-1], True),
    ):
        place = Board()
        rows = [
            (name, place.submit(honest[name], is_open=is_open), score(honest[name], best)) for name in order
        ]
        good = good and all(row[1][3] for row in rows)
        show(f"honest agents, {title}", rows, len(best))
    rows = []
    for name, results in honest.items():
        place = Board([(one, True) for other, one in honest.items() if other != name])
        rows.append((name, place.submit(results, is_open=False), score(results, best)))
    good = good and all(row[1][3] for row in rows)
    show("honest agents, each by a stranger after all others were opened", rows, len(best))
    rows = []
    for name, results in attackers(honest).items():
        place = Board([(one, True) for one in honest.values()])
        rows.append((name, place.submit(results, is_open=False), score(results, best)))
    show("takers, each after all honest agents were opened", rows, len(best))
    return good and not any(row[1][3] for row in rows[:6])


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    boards = [f"{next(iter(board_specs())).slug}{end}" for end in ("", "@kernels-v0")]
    parser.add_argument("--board", choices=boards, action="append")
    good = [simulate(board) for board in parser.parse_args().board or boards]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
