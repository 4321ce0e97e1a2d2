"""Charts of walks, searches and measured blocks: what they show, and what they refuse; and HTML tables."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

import optarena
from optarena.agents.reports import ProgramReport, SearchReport, read_report, report_path
from optarena.cli import main
from optarena.client_answers import Boards, Standings
from optarena.errors import InvalidInput, UnknownName
from optarena.measuring.blocks import MeasuredBlock, Metrics, measure
from optarena.specs import environment_spec
from optarena.specs.results import MeasurementPlan, ReplayResult
from optarena.state import EnvState
from optarena.validation import ValidationProblem, ValidationResult
from tests.kit.folders import ROOT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SHA256 = "benchmark://kernels-v0/sha256"
BASELINE = ROOT / "baselines/llvm-ic@kernels-v0/local/results.csv"
SPEC = environment_spec("llvm-ic-v0")
HOSTILE = "<script>alert(1)</script>"


def texts(figure: Figure) -> str:
    """All that can be read in a chart."""
    found: list[str] = []
    for axes in figure.axes:
        found += [child.get_text() for child in axes.get_children() if hasattr(child, "get_text")]
        found += [axes.get_xlabel(), axes.get_ylabel(), axes.get_title(loc="left")]
        found += [label.get_text() for label in (*axes.get_xticklabels(), *axes.get_yticklabels())]
        legend = axes.get_legend()
        found += [] if legend is None else [text.get_text() for text in legend.get_texts()]
    return "\n".join(found)


def longest_line(axes: Axes) -> list[float]:
    return max((np.asarray(line.get_ydata()).tolist() for line in axes.get_lines()), key=len)


def commandline(*names: str) -> str:
    table = list(SPEC.action_table.names)
    return SPEC.commandline([table.index(name) for name in names])


def test_a_walk_shows_each_cost_beside_the_levels_and_leaves_the_episode_alone() -> None:
    with optarena.make("llvm-ic-v0", benchmark=SHA256) as env:
        env.reset()
        names = list(env.action_table.names)
        costs = [env.observation["IrInstructionCount"]]
        for name in ("sroa", "sroa", "early-cse<memssa>", "instcombine"):
            env.step(names.index(name))
            costs.append(env.observation["IrInstructionCount"])
        before = env.observation["IrSha1"]
        figure = env.plot()
        assert longest_line(figure.axes[0]) == costs
        said = texts(figure)
        for expected in ("kernels-v0/sha256", "IR instructions", "as given\nsroa\nsroa", "no effect"):
            assert expected in said
        assert "-O0 (as given)  1,349" in said
        assert "-O3, -Oz  682" in said
        assert "of 4 actions; ratio to -Oz: 0." in said
        png, size = figure._repr_png_()
        assert png.startswith(b"\x89PNG")
        assert set(size) == {"width", "height"}
        assert env.observation["IrSha1"] == before
        assert len(env.actions) == 4
        assert "Machine code size (bytes)" in texts(env.plot(cost="ObjectTextSizeBytes"))
        with pytest.raises(UnknownName, match="IrInstructionCount"):
            env.plot(cost="IrInstructionCuont")
        with pytest.raises(InvalidInput, match="not a single number"):
            env.plot(cost="Autophase")


def test_a_walk_shows_where_the_compiler_failed(sorting: Any) -> None:
    with optarena.make(sorting.ENVIRONMENT.slug) as env:
        env.reset()
        names = list(env.action_table.names)
        env.multistep([names.index("reverse"), *[names.index("lose")] * 6])
        assert env.error is not None
        assert f"lose: {env.error.error_type}" in texts(env.plot())


def test_a_search_is_drawn_from_its_report(tmp_path: Path) -> None:
    from optarena import plots  # noqa: PLC0415 - every process of a run collects this file

    results = tmp_path / "results.csv"
    words = ("search", "greedy", "--evaluations", "60", "--output", str(results))
    programs = ("--benchmark", "kernels-v0/sha256", "--benchmark", "kernels-v0/quicksort")
    assert run(*words, *programs).exit_code == 0
    report = read_report(results)
    assert report is not None
    for one in report.found:
        counts, values = zip(*one.improvements, strict=True)
        assert all(a < b for a, b in pairwise(counts))
        assert all(a > b for a, b in pairwise(values))
        assert counts[0] == 0
        assert counts[-1] <= one.evaluations
        assert values[-1] >= one.value
    assert SearchReport.parse(report.to_json().encode()) == report
    said = texts(plots.search(results))
    for expected in ("greedy on 2 programs", "mean of 2 programs", "-Oz (1.0)", "Evaluations of a program"):
        assert expected in said
    alone = plots.search(replace(report, found=report.found[:1]))
    assert longest_line(alone.axes[0])[:-1] == [value for _, value in report.found[0].improvements]
    done = run("plot", str(results))
    assert done.stdout == f"The chart is in {results.with_suffix('.png')}\n"
    assert results.with_suffix(".png").read_bytes().startswith(b"\x89PNG")
    for form, start in (("svg", b"<?xml"), ("pdf", b"%PDF")):
        walk = tmp_path / f"walk.{form}"
        done = run("plot", str(results), "--benchmark", "kernels-v0/sha256", "--output", str(walk))
        assert done.exit_code == 0, done.output
        assert walk.read_bytes().startswith(start)


def test_results_of_which_only_the_end_is_known_show_each_program() -> None:
    from optarena import plots  # noqa: PLC0415 - every process of a run collects this file

    figure = plots.search(BASELINE)
    said = texts(figure)
    assert "local on kernels-v0" in said
    assert "IR instructions: -Oz / found (times)" in said
    assert "kernels-v0/sudoku" in said
    assert len(figure.axes) == 1
    figure = plots.programs({SHA256: 700, "benchmark://mine-v0/x": 1}, SPEC, SPEC.metric("ir_instructions"))
    assert "geometric mean of 1 of 2 programs: 0.9743" in texts(figure)


def test_an_interrupted_search_that_goes_on_counts_on() -> None:
    from optarena import plots  # noqa: PLC0415 - every process of a run collects this file

    report = read_report(BASELINE)
    assert report is not None
    one = ProgramReport(
        benchmark="benchmark://mine-v0/x", value=5, actions=1, evaluations=9, actions_run=9, seconds=1,
        improvements=((0, 10), (4, 5)),
    )  # fmt: skip
    said = texts(plots.search(replace(report, found=(one, replace(one, benchmark="benchmark://mine-v0/y")))))
    assert "-O0 (as given) / found, geometric mean of 2 programs: 2.0000" in said


def blocks(ratios: Sequence[float], levels: Sequence[float]) -> ReplayResult:
    """A replay whose measurement has these blocks."""
    left = iter(zip(ratios, levels, strict=True))

    def block() -> MeasuredBlock:
        ratio, level = next(left)
        pairs = (0.9 * ratio, ratio, 1.1 * ratio)
        return MeasuredBlock(
            candidate={"runtime": level / ratio}, reference={"runtime": level}, pairs=pairs, level=level
        )

    names = Metrics(value="runtime", reference="runtime", ratio="speedup")
    measured = measure(block, MeasurementPlan(blocks=len(ratios) - 1), names)
    return ReplayResult(
        environment="llvm-runtime-v0", digest="", benchmark=SHA256, benchmark_sha256="", actions=(), ok=True,
        measurement=measured.details,
    )  # fmt: skip


def test_blocks_show_their_pairs_their_mean_and_those_that_do_not_count() -> None:
    from optarena import plots  # noqa: PLC0415 - every process of a run collects this file

    result = blocks((1.1, 1.2, 1.15, 1.12, 1.13, 3.0), (1, 1, 1, 1, 5, 1))
    said = texts(plots.blocks(result))
    for expected in ("95 % confidence interval", "block that does not count", "5 of 6 blocks count"):
        assert expected in said
    assert "Measured blocks" in texts(plots.blocks(result.measurement))
    for source in (replace(result, measurement={}), {"blocks": [{"ratio": None}]}):
        with pytest.raises(InvalidInput, match="was measured in blocks"):
            plots.blocks(source)
    with pytest.raises(InvalidInput, match="does not have the cost"):
        plots.walk(result)
    with pytest.raises(InvalidInput, match="not of int"):
        plots.walk(5)  # type: ignore[arg-type] # as a user may


def run(*arguments: str, **variables: str | None) -> Result:
    return CliRunner().invoke(main, list(arguments), env={"OPTARENA_DEBUG": None, **variables})


SROA = commandline("sroa")
ROWS = f"benchmark,commandline\n{SHA256},{SROA}\nbenchmark://kernels-v0/json,{SROA}\n"


@pytest.mark.parametrize(
    ("content", "arguments", "said"),
    [
        ("", (), "The document is empty"),
        ("benchmark,commandline\n", (), "has no states"),
        (ROWS, (), "neither claims, nor a report"),
        (ROWS, ("--benchmark", "kernels-v0/jsn"), "has no row of kernels-v0/jsn"),
        (ROWS, ("--kind", "walk"), f"has 2 rows. Name a program by --benchmark: {SHA256}"),
        (ROWS, ("--benchmark", SHA256, "--env", "gcc-v0"), "command line"),
        (ROWS, ("--benchmark", SHA256, "--kind", "blocks"), "was measured in blocks"),
        (ROWS, ("--kind", "pie"), "'pie' is not one of"),
        (ROWS, ("--output", "x.gif"), "x.gif does not end in .png or .svg or .pdf"),
        (ROWS, ("--url", "http://y.org"), "--url http://y.org says nothing about the chart of a file"),
        (ROWS, ("--output", "nowhere/x.png"), "The folder nowhere does not exist"),
        (f"benchmark,commandline\n{SHA256},opt -passes=nonsense\n", (), "has the wrong form"),
        (f"benchmark,commandline\nbenchmark://mine-v0/x,{SROA}\n", (), "mine-v0"),
        (
            f"benchmark,commandline,ir_instructions\nbenchmark://mine-v0/x,{SROA},5\n",
            ("--kind", "search"),
            "is not known for any of the 1 programs",
        ),
    ],
)
def test_what_cannot_be_drawn_is_one_line_and_writes_nothing(
    content: str, arguments: tuple[str, ...], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("results.csv").write_text(content)
    done = run("plot", "results.csv", *arguments)
    assert done.exit_code == 2, done.output
    assert said in done.stderr
    assert "Traceback" not in done.output
    assert [path.name for path in tmp_path.iterdir()] == ["results.csv"]


def test_a_report_that_does_not_belong_to_the_results_is_refused(tmp_path: Path) -> None:
    results = tmp_path / "results.csv"
    results.write_text(BASELINE.read_text().replace(",596\n", ",595\n"))
    report_path(results).write_bytes(report_path(BASELINE).read_bytes())
    assert "contradicts its results" in run("plot", str(results)).stderr
    assert "is of llvm-v0, not of llvm-ic-v0" in run("plot", str(results), "--env", "llvm-ic-v0").stderr
    for path, said in ((tmp_path / "none.csv", "No such file"), (tmp_path, "Is a directory")):
        done = run("plot", str(path))
        assert done.exit_code == 2
        assert said in done.stderr or "not a regular file" in done.stderr
    address = "http://127.0.0.1:1/submissions/0f0e0d0c-0b0a-4900-8800-070605040302/"
    assert "Give the address of one of its items" in run("plot", address).stderr
    assert "--url http://y.org says nothing" in run("plot", address, "--url", "http://y.org").stderr
    assert "does not answer" in run("plot", "llvm-ic", "--url", "http://127.0.0.1:1").stderr


def test_without_matplotlib_the_remedy_is_named(tmp_path: Path) -> None:
    hidden = "import sys; sys.modules['matplotlib'] = None; from optarena.cli import main; main(sys.argv[1:])"
    command = [sys.executable, "-c", hidden, "plot", str(BASELINE), "--output", str(tmp_path / "x.png")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.endswith("matplotlib, which is missing. Install it: pip install 'optarena[plot]'.")


ENTRY = {"rank": 1, "rank_high": 2, "agent": HOSTILE, "owner": "ada", "submission": "0f0e", "unranked": ""}
STANDINGS: dict[str, Any] = {
    "results": [
        {
            **ENTRY,
            "score": 1.05,
            "mean_improvement": None,
            "against_reference": "5.0 % smaller",
            "verified": 3,
            "total": 3,
        }
    ],
    "pending": [],
    "virtual_best": {"score": 1.1, "verified": 3, "total": 3},
    "references": [{"label": "LLVM -Oz", "score": 1.0, "mean_improvement": 0.0, "against_reference": ""}],
    "next": None,
    "provisional": False,
}
NAMES = {"slug": "llvm-ic", "environment": "llvm-ic-v0", "dataset": "kernels-v0", "metric": HOSTILE}
BOARD: dict[str, Any] = {
    **NAMES,
    "dataset": HOSTILE,
    "entries": 2,
    "leaders": [{"agent": "greedy", "score": 1.05, "against_reference": "5 %"}],
}
STATE = EnvState(benchmark=SHA256, commandline=HOSTILE, reward=0.5, claims={"ir_instructions": 596})
PROBLEM = ValidationProblem(reason="claim:mismatch", field="reward", message=HOSTILE)
REPORT = SearchReport.parse(report_path(BASELINE).read_bytes())
HOSTILE_REPORT = replace(REPORT, found=(replace(REPORT.found[0], benchmark=HOSTILE),))


@pytest.mark.parametrize(
    ("shown", "parts"),
    [
        (STATE, ("<td", SHA256, "596", "0.5000")),
        (ValidationResult(state=STATE, problems=(PROBLEM,)), ("invalid", "claim:mismatch")),
        (Standings(STANDINGS), ("1 to 2", "1.0500", "virtual best", "LLVM -Oz", "3/3")),
        (
            Standings(STANDINGS | {"next": "http://x.org/api/v1/boards/b/standings/?cursor=a&all=1"}),
            ("only the first 1 rows are shown; all are in http://x.org/api/v1/boards/b/standings.csv?all=1",),
        ),
        (Boards([BOARD]), ("llvm-ic", "1.0500", "greedy", "text-align: right")),
        (HOSTILE_REPORT, ("local on kernels-v0", "851", "417", "28.4")),
    ],
)
def test_notebooks_show_tables_without_markup_of_others(shown: Any, parts: tuple[str, ...]) -> None:
    html = shown._repr_html_()
    assert html.startswith("<table>")
    assert all(part in html for part in parts), html
    assert "<script>" not in html
    assert "&lt;script&gt;" in html
