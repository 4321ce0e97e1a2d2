"""How close launches of a benchmark come to what limits them on the device that they were measured on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from datasets.site.charts import colour
from leaderboard.boards.queries import reference_name
from leaderboard.records.queries import BenchmarkResults
from leaderboard.submissions.queries import measurements_together
from optarena.datasets import environments_of
from optarena.specs.benchmark import BenchmarkUri
from optarena.specs.board import finite_number
from optarena.specs.environment import Roofline, Speeds


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    # `copying` and `computing` are the shares of the device's speeds that it reaches.
    label: str
    css: str
    microseconds: float
    copying: float
    computing: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredRoofline:
    work: Roofline
    device: str
    note: str
    launches: tuple[Launch, ...]

    @property
    def speeds(self) -> Speeds:
        return self.work.speeds[self.device]

    @property
    def terabytes(self) -> float:
        return self.speeds.bytes_per_second / 1e12

    @property
    def teraflops(self) -> float:
        return self.speeds.flops_per_second / 1e12

    @property
    def limited_by(self) -> str:
        return "copying" if self.launches[0].copying >= self.launches[0].computing else "computing"

    @property
    def least_microseconds(self) -> float:
        first = self.launches[0]
        return first.microseconds * max(first.copying, first.computing)


def rooflines(uri: str, results: Sequence[BenchmarkResults]) -> list[MeasuredRoofline]:
    """The rooflines of boards that measured a known device; without any, what was measured before."""
    given = (one.roofline for one in environments_of(BenchmarkUri.parse(uri).dataset) if one.roofline)
    work = next((roofline(uri) for roofline in given), None)
    if work is None:
        return []
    found = [one for board in results for one in _of_board(work, board)]
    return found or ([_measured(work, work.device, work.seconds, work.note)] if work.seconds else [])


def _of_board(work: Roofline, found: BenchmarkResults) -> Iterator[MeasuredRoofline]:
    if not found.board.reference_metric:
        return
    metrics, details = measurements_together(found.best.verification)
    device = details.get("device")
    value, reference = (
        finite_number(metrics.get(name)) for name in (found.board.metric, found.board.reference_metric)
    )
    if not (value and reference and min(value, reference) > 0):
        return
    if isinstance(device, str) and device in work.speeds:  # whatever a runner wrote, the page is shown
        seconds = {f"Best result of {found.board.title}": value, reference_name(found.board): reference}
        note = "in the block of the board's best result that has the median ratio"
        yield _measured(work, device, seconds, note)


def _measured(work: Roofline, device: str, seconds: Mapping[str, float], note: str) -> MeasuredRoofline:
    launches = []
    for number, (label, one) in enumerate(seconds.items()):
        copying, computing = work.shares(device, one)
        launches.append(
            Launch(
                label=label, css=colour(number), microseconds=1e6 * one, copying=copying, computing=computing
            )
        )
    return MeasuredRoofline(work=work, device=device, note=note, launches=tuple(launches))
