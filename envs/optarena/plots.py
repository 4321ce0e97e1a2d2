"""Charts as figures of matplotlib, the extra ``plot``: walks, searches, boards over time, measured blocks.

Each function returns a figure, which a notebook shows and ``figure.savefig`` writes. No display is needed.
"""

from __future__ import annotations

import copy
import io
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from optarena.agents.reports import SearchReport, read_report, report_path
from optarena.datasets import datasets
from optarena.env import CompilerEnv
from optarena.errors import InvalidInput, ToolMissing, UnknownName
from optarena.measuring.estimates import of_measurement
from optarena.specs import EnvironmentSpec, Metric, board_specs, environment_spec
from optarena.specs.board import finite_number, ratio
from optarena.specs.results import ReplayResult
from optarena.specs.rewards import UNOPTIMISED, level_text

try:
    import matplotlib as mpl
    from matplotlib.dates import AutoDateLocator, ConciseDateFormatter, date2num
    from matplotlib.figure import Figure
    from matplotlib.ticker import FuncFormatter, MaxNLocator
except ImportError as missing:
    raise ToolMissing(
        "Charts need the package matplotlib, which is missing.",
        field="matplotlib",
        remedy="Install it: pip install 'optarena[plot]'.",
    ) from missing

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from optarena.client import Client, Json

__all__ = ["Chart", "blocks", "board", "programs", "search", "walk"]

# Colours that are told apart with any colour vision (Okabe and Ito, 2008). Lines differ in their dashes, too.
_BLUE, _RED, _GREY, _INK = "#0072B2", "#D55E00", "#8A8A8A", "#222222"
_LEVELS: Final[dict[str, tuple[str, Any]]] = {
    "O0": ("#6F6F6F", ":"),
    "O1": ("#8C2D2D", (0, (1, 1))),
    "O2": ("#574A9E", (0, (7, 2, 1, 2, 1, 2))),
    "O3": ("#A86500", "-."),
    "Oz": ("#00785A", "--"),
}
_OTHER_LEVEL: Final = ("#A6588A", (0, (5, 1)))
_STYLE: Final[dict[Any, Any]] = {
    "axes.edgecolor": "#9A9A9A",
    "axes.grid": True,
    "axes.labelcolor": _INK,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.constrained_layout.use": True,
    "figure.dpi": 100,
    "font.size": 10,
    "grid.color": "#E6E6E6",
    "legend.frameon": False,
    "savefig.dpi": 200,
    "svg.fonttype": "none",
    "text.color": _INK,
    "xtick.color": "#4A4A4A",
    "ytick.color": "#4A4A4A",
}
_MAX_NAMED_ACTIONS: Final = 45
_MAX_NAMED_PROGRAMS: Final = 60
_LINE: Final = 0.055  # The height of a label, as a share of that of the axes
_SHARP: Final = 2  # How many pixels a notebook has for one of the figure


class Chart(Figure):
    """A figure that notebooks show, with twice as many pixels."""

    def _repr_png_(self) -> tuple[bytes, dict[str, int]]:
        with io.BytesIO() as file:
            self.savefig(file, format="png", dpi=_SHARP * self.dpi)
            width, height = (round(inches * self.dpi) for inches in self.get_size_inches())
            return file.getvalue(), {"width": width, "height": height}


def walk(source: CompilerEnv | ReplayResult, *, cost: str | None = None) -> Chart:
    """The cost after each action, beside those of the compiler's own levels.

    Args:
        source: An environment, whose episode is played again in a copy; or a replay, which has seen it.
        cost: The observation space of the cost; that of the environment's reward if None, or another one if
            that varies from run to run. Replays have one.

    Raises:
        ToolMissing: matplotlib is not installed.
        ResetNeeded: The environment has had no episode yet.
        InvalidInput: The environment has no cost that can be told after each action.
        UnknownName: There is no such observation.
    """
    path = _replayed_walk(source) if isinstance(source, ReplayResult) else _env_walk(source, cost)
    return _draw_walk(path)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Walk:
    title: str
    quantity: str
    unit: str
    lower_is_better: bool
    costs: tuple[float, ...]
    names: tuple[str, ...]
    idle: frozenset[int]
    levels: Mapping[str, float]
    failure: str = ""

    @property
    def best(self) -> int:
        best = min(self.costs) if self.lower_is_better else max(self.costs)
        return self.costs.index(best)


def _replayed_walk(result: ReplayResult) -> _Walk:
    spec = environment_spec(result.environment)
    metric = spec.cost_metric
    first = result.initial.cost if result.initial else None
    steps = [step for step in result.steps if step.cost is not None]
    if metric is None or first is None:
        message = f"The replay of {result.benchmark} does not have the cost after each action."
        remedy = "Draw its measured blocks, or the walk of an environment that observes a cost."
        raise InvalidInput(message, field="source", value=result.environment, remedy=remedy)
    try:
        recorded = datasets().benchmark(result.benchmark, elsewhere=False).baselines.get(metric.name, {})
    except UnknownName:  # a program of another machine
        recorded = {}
    return _Walk(
        title=result.benchmark,
        quantity=metric.title,
        unit=metric.unit,
        lower_is_better=metric.lower_is_better,
        costs=(float(first), *(float(step.cost or 0) for step in steps)),
        names=tuple(step.name for step in steps),
        idle=frozenset(number for number, step in enumerate(steps, start=1) if step.had_no_effect),
        levels=_chosen_levels(recorded),
        failure="" if result.failed_step is None else result.reason or "",
    )


def _env_walk(env: CompilerEnv, cost: str | None) -> _Walk:
    if not isinstance(env, CompilerEnv):
        message = f"A walk is drawn of an environment or a replay, not of {type(env).__name__}."
        remedy = "Give env.unwrapped, or result.replay."
        raise InvalidInput(message, field="source", value=repr(env)[:100], remedy=remedy)
    spec, state = env.environment, env.state
    reward = spec.reward(env.reward_space_name) if env.reward_space_name else None
    varies = reward is None or not env.observations[reward.cost].deterministic
    name = cost or (spec.cost if varies else "") or (reward.cost if reward else "")
    if not name:
        message = f"{spec.id} has no cost, and no reward space is in force."
        raise InvalidInput(message, field="cost", remedy="Name an observation: plot(cost=…).")
    env.observations[name]  # an unknown one is reported before anything is played
    metric = next((one for one in spec.metrics if one.observation == name), None)
    with copy.deepcopy(env) as twin:
        twin.reset(options={"benchmark": env.benchmark, "observation_space": None, "reward_space": None})
        first = twin.observe(name)
        levels = _levels(twin, name, metric)
        steps = twin.steps(env.actions, observation_spaces=[name])
        played = [one for one in steps if "error_type" not in one[4]]
    return _Walk(
        title=state.benchmark,
        quantity=metric.title if metric else name,
        unit=metric.unit if metric else "",
        lower_is_better=metric.lower_is_better if metric else True,
        costs=(_value(name, first), *(_value(name, one[0][0]) for one in played)),
        names=tuple(env.action_table.names[one[0] if isinstance(one, tuple) else one] for one in env.actions),
        idle=frozenset(
            number for number, one in enumerate(played, start=1) if one[4]["action_had_no_effect"]
        ),
        levels=levels,
        failure=str(steps[-1][4]["error_type"]) if len(played) < len(env.actions) else "",
    )


def _value(name: str, observed: Any) -> float:  # noqa: ANN401 # of any space
    try:
        value = float(observed)
    except (TypeError, ValueError) as error:
        message = f"{name} is not a single number."
        remedy = "Name an observation that is one, such as a count or a time."
        raise InvalidInput(message, field="cost", value=name, remedy=remedy) from error
    return value


def _levels(env: CompilerEnv, cost: str, metric: Metric | None) -> dict[str, float]:
    recorded = env.benchmark.baselines.get(metric.name, {}) if metric else {}
    observed = {level: f"{cost}{level}" for level in _LEVELS if level not in recorded}
    return _chosen_levels(recorded) | {
        level: float(env.observe(name)) for level, name in observed.items() if name in env.observations
    }


def _chosen_levels(recorded: Mapping[str, float]) -> dict[str, float]:
    usual = {level: float(value) for level, value in recorded.items() if level in _LEVELS}
    return usual or {level: float(value) for level, value in recorded.items()}


def _draw_walk(path: _Walk) -> Chart:
    named = len(path.names) <= _MAX_NAMED_ACTIONS
    width = min(7.5 + 0.12 * len(path.names), 12.5)
    with mpl.rc_context(_STYLE):
        figure = Chart(figsize=(width, 4.8))
        axes = figure.add_subplot()
        _draw_costs(axes, path, size=5)
        if path.failure:
            place, name = len(path.costs), path.names[len(path.costs) - 1]
            axes.plot(place, path.costs[-1], "X", color=_RED, markersize=9, label=f"{name}: {path.failure}")
        if path.idle or path.failure:
            axes.legend(loc="lower right", bbox_to_anchor=(1, 1))
        numbers = range(len(path.names) + 1)
        if named:
            axes.set_xticks(numbers, ["as given", *path.names], rotation=90, fontsize=8)
        else:
            axes.xaxis.set_major_locator(_whole_numbers())
        axes.set_xlim(-0.6, len(path.names) + 0.6)
        axes.grid(visible=False, axis="x")
        axes.set_xlabel("Action" if named else "Number of actions")
        axes.set_ylabel(_with_unit(path.quantity, path.unit))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: _number(value)))
        _name_levels(axes, path.levels)
        _zoom(axes, path)
        _head(axes, path.title, _walk_summary(path))
    return figure


def _whole_numbers() -> MaxNLocator:
    return MaxNLocator(integer=True, steps=[1, 2, 5, 10])


def _draw_costs(axes: Axes, path: _Walk, *, size: float) -> None:
    _draw_levels(axes, path.levels)
    numbers = range(len(path.costs))
    axes.plot(numbers, path.costs, color=_BLUE, linewidth=1.6, zorder=2)
    working = [number for number in numbers if number not in path.idle]
    idle = sorted(path.idle)
    axes.plot(working, [path.costs[one] for one in working], "o", color=_BLUE, markersize=size, zorder=3)
    hollow = {"color": _BLUE, "markerfacecolor": "white", "markersize": size, "zorder": 3}
    axes.plot(idle, [path.costs[one] for one in idle], "o", label="no effect", **hollow)  # type: ignore[arg-type] # of several types


def _zoom(axes: Axes, path: _Walk) -> None:
    # A walk down falls steeply and then hardly: what happens around the levels is drawn again, larger, in the
    # free corner.
    near = [value for level, value in path.levels.items() if level != UNOPTIMISED]
    lowest, highest = min(*path.costs, *near, math.inf), max(near, default=0)
    whole = max(*path.costs, *path.levels.values()) - lowest
    top = highest + 0.35 * (highest - lowest) + 0.004 * highest
    low = [number for number, value in enumerate(path.costs) if value <= top]
    is_flat = path.lower_is_better and near and top - lowest < _FLAT * whole
    if not is_flat or len(low) < _FEW or low[0] > len(path.costs) / 2:
        return
    left = (low[0] + 0.6) / (len(path.names) + 1.2)
    inset = axes.inset_axes((left + 0.06, 0.4, 0.93 - left, 0.56))
    _draw_costs(inset, path, size=4)
    inset.set_xlim(low[0] - 0.6, len(path.names) + 0.6)
    inset.set_ylim(lowest - 0.1 * (top - lowest), top)
    inset.tick_params(labelbottom=False, bottom=False, labelsize=8)
    inset.grid(visible=False, axis="x")
    inset.yaxis.set_major_formatter(FuncFormatter(lambda value, _: _number(value)))
    for spine in inset.spines.values():
        spine.set_visible(True)
    axes.indicate_inset_zoom(inset, edgecolor=_GREY, alpha=0.6)


# A zoom shows less than this share of the whole range, and at least so many values.
_FLAT: Final = 0.4
_FEW: Final = 3


def _walk_summary(path: _Walk) -> str:
    found, last = path.costs[path.best], path.costs[-1]
    unit = f" {path.unit}" if path.unit else ""
    text = f"{_number(found)}{unit} after {path.best} of {len(path.names)} actions"
    if found != last:
        text = f"best: {text}; at the end {_number(last)}"
    level = next((one for one in ("Oz", "O3") if one in path.levels), None)
    if level is None or not path.levels[level] or not found:
        return text
    factor = ratio(baseline=path.levels[level], achieved=found, lower_is_better=path.lower_is_better)
    return f"{text}; ratio to {_level_text(level)}: {factor:.4f}"


def search(results: str | Path | SearchReport) -> Chart:
    """What a search found: its best value over evaluations, and each program beside the compiler's level.

    Args:
        results: The file of results, which has a report beside it; or the report.

    Raises:
        ToolMissing: matplotlib is not installed.
        InvalidInput: The file has no report, or none of the programs has a value to compare with.
    """
    report = results if isinstance(results, SearchReport) else _report_of(Path(results))
    if not report.found:
        message = f"The search of {report.run.agent} on {report.run.programs} has found nothing yet."
        raise InvalidInput(message, field="results", remedy="Run it on until one program is finished.")
    spec = environment_spec(report.run.environment)
    metric = spec.metric(report.run.metric)
    several = f"{len(report.found)} programs" if "://" in report.run.programs else report.run.programs
    title = f"{report.run.agent} on {several}"
    if len(report.found) == 1 and report.found[0].improvements:
        return _draw_one_search(report, metric)
    found = {one.benchmark: float(one.value) for one in report.found}
    curves = {one.benchmark: (*one.improvements, (one.evaluations, one.value)) for one in report.found}
    known = {uri: curve for uri, curve in curves.items() if len(curve) > 1}
    levels = {one.benchmark: one.levels or _recorded(one.benchmark, metric) for one in report.found}
    return _draw_found(title, _scale(spec, metric, found, known, levels), found, known)


def _report_of(results: Path) -> SearchReport:
    report = read_report(results)
    if report is None:
        message = f"There is no report of a search beside {results}: {report_path(results).name}."
        remedy = "Draw the walk of one program: optarena plot FILE --kind walk --benchmark URI."
        raise InvalidInput(message, field="results", value=str(results), remedy=remedy)
    return report


def programs(values: Mapping[str, float], spec: EnvironmentSpec, metric: Metric) -> Chart:
    """The values of programs, by URI, beside those of the compiler's level; for results without a report."""
    levels = {uri: _recorded(uri, metric) for uri in values}
    return _draw_found(f"Results of {spec.id}", _scale(spec, metric, values, {}, levels), values, {})


@dataclass(frozen=True, slots=True)
class _Scale:
    # Ratios to a level of the compiler, or to the program as given where no program has one.
    level: str
    metric: Metric
    bases: Mapping[str, float]

    def ratio(self, uri: str, value: float) -> float:
        return ratio(baseline=self.bases[uri], achieved=value, lower_is_better=self.metric.lower_is_better)

    @property
    def name(self) -> str:
        return _level_text(self.level)

    @property
    def ratio_name(self) -> str:
        return f"{self.name} / found" if self.metric.lower_is_better else f"found / {self.name}"

    @property
    def label(self) -> str:
        return f"{self.metric.title}: {self.ratio_name} (times)"


def _scale(
    spec: EnvironmentSpec,
    metric: Metric,
    values: Mapping[str, float],
    curves: Mapping[str, Sequence[tuple[float, float]]],
    levels: Mapping[str, Mapping[str, float]],
) -> _Scale:
    named = (one for one in board_specs() if (one.environment, one.metric) == (spec.slug, metric.name))
    level = next((one.baseline_level for one in named if one.baseline_level), "Oz")
    bases = {uri: base for uri in values if (base := levels[uri].get(level)) and values[uri] > 0}
    if bases:
        return _Scale(level, metric, bases)
    starts = {uri: float(curve[0][1]) for uri, curve in curves.items() if curve[0][1] > 0 < values[uri]}
    if starts:
        return _Scale(UNOPTIMISED, metric, starts)
    message = f"{metric.title} at {_level_text(level)} is not known for any of the {len(values)} programs."
    remedy = "Draw the walk of one program: optarena plot FILE --kind walk --benchmark URI."
    raise InvalidInput(message, field="results", value=metric.name, remedy=remedy)


def _recorded(uri: str, metric: Metric) -> Mapping[str, float]:
    try:
        return datasets().benchmark(uri, elsewhere=False, files=False).baselines.get(metric.name, {})
    except InvalidInput:  # a program of another machine, or of no dataset
        return {}


def _draw_found(
    title: str,
    scale: _Scale,
    values: Mapping[str, float],
    curves: Mapping[str, Sequence[tuple[float, float]]],
) -> Chart:
    ratios = {uri: scale.ratio(uri, values[uri]) for uri in scale.bases}
    drawn = {uri: curve for uri, curve in curves.items() if uri in ratios}
    height = max(4.2, 1.6 + 0.22 * min(len(ratios), _MAX_NAMED_PROGRAMS))
    with mpl.rc_context(_STYLE):
        if drawn:
            figure = Chart(figsize=(11, height))
            left, right = figure.subplots(1, 2, width_ratios=(3, 2))
            _draw_progress(left, scale, drawn)
        else:
            figure = Chart(figsize=(7.5, height))
            left = right = figure.add_subplot()
        _draw_programs(right, scale, ratios)
        mean = math.exp(math.fsum(map(math.log, ratios.values())) / len(ratios))
        of = f"{len(ratios)} of {len(values)}" if len(ratios) < len(values) else f"{len(ratios)}"
        noun = "program" if of == "1" else "programs"
        _head(left, title, f"{scale.ratio_name}, geometric mean of {of} {noun}: {mean:.4f}")
    return figure


def _draw_progress(axes: Axes, scale: _Scale, curves: Mapping[str, Sequence[tuple[float, float]]]) -> None:
    last = max(count for curve in curves.values() for count, _ in curve)
    paths = [
        [(count, scale.ratio(uri, value)) for count, value in (*curve, (last, curve[-1][1]))]
        for uri, curve in curves.items()
    ]
    for number, path in enumerate(paths):
        label = "each program" if number == 0 else None
        axes.step(*_columns(path), where="post", color=_BLUE, alpha=0.25, linewidth=0.9, label=label)
    mean = list(_mean(paths))
    label = f"geometric mean ({mean[0][1]:.2f} as given)"
    axes.step(*_columns(mean), where="post", color=_BLUE, linewidth=2.4, label=label)
    axes.axhline(1, color=_LEVELS["Oz"][0], linestyle="--", linewidth=1.2, label=f"{scale.name} (1.0)")
    ends = [path[-1][1] for path in paths]
    low, high = min(*ends, 1.0), max(*ends, 1.0)
    # The first values are far below: what matters is near the ends.
    room = 0.06 * (high - low) or 0.01
    axes.set_ylim(max(mean[0][1], low - 10 * room) - room, high + room)
    _count_evaluations(axes, last)
    axes.set_ylabel(scale.label)
    axes.legend(loc="lower right")


def _count_evaluations(axes: Axes, last: float) -> None:
    axes.set_xlim(0, max(last, 1))
    axes.xaxis.set_major_locator(_whole_numbers())
    axes.set_xlabel("Evaluations of a program")


def _columns(path: Sequence[tuple[float, float]]) -> tuple[list[float], list[float]]:
    return [x for x, _ in path], [y for _, y in path]


def _mean(paths: Sequence[Sequence[tuple[float, float]]]) -> Iterator[tuple[float, float]]:
    # Of steps: at each place where one of them rises, the geometric mean of all.
    logs = [math.log(path[0][1]) for path in paths]
    rises = sorted((count, number, value) for number, path in enumerate(paths) for count, value in path)
    for count, number, value in rises:
        logs[number] = max(logs[number], math.log(value))
        yield count, math.exp(math.fsum(logs) / len(logs))


def _draw_programs(axes: Axes, scale: _Scale, ratios: Mapping[str, float]) -> None:
    ranked = sorted(ratios.items(), key=lambda one: one[1])
    for place, (_, value) in enumerate(ranked):
        colour = _BLUE if value >= 1 else _RED
        axes.plot([1, value], [place, place], color=colour, linewidth=1.6, alpha=0.5)
        axes.plot(value, place, "o" if value >= 1 else "s", color=colour, markersize=5)
    axes.axvline(1, color=_LEVELS["Oz"][0], linestyle="--", linewidth=1.2, label=f"{scale.name} (1.0)")
    axes.legend(loc="lower right")
    if len(ranked) <= _MAX_NAMED_PROGRAMS:
        axes.set_yticks(range(len(ranked)), [_short(uri) for uri, _ in ranked], fontsize=8)
    else:
        axes.set_yticks([])
        axes.set_ylabel(f"{len(ranked)} programs, in the order of their ratios")
    axes.set_ylim(-0.7, len(ranked) - 0.3)
    axes.margins(x=0.08)
    axes.grid(visible=False, axis="y")
    axes.set_xlabel(scale.label)


def _draw_one_search(report: SearchReport, metric: Metric) -> Chart:
    [found] = report.found
    curve = [*found.improvements, (found.evaluations, found.value)]
    levels = _chosen_levels(found.levels or _recorded(found.benchmark, metric))
    with mpl.rc_context(_STYLE):
        figure = Chart(figsize=(8, 4.4))
        axes = figure.add_subplot()
        axes.step(*_columns(curve), where="post", color=_BLUE, linewidth=2)
        axes.plot(*_columns(found.improvements), "o", color=_BLUE, markersize=5)
        _draw_levels(axes, levels)
        _count_evaluations(axes, found.evaluations)
        axes.set_ylabel(_with_unit(metric.title, metric.unit))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: _number(value)))
        _name_levels(axes, levels)
        best = f"{_number(found.value)} {metric.unit} after {found.evaluations} evaluations"
        _head(axes, f"{report.run.agent} on {found.benchmark}", best)
    return figure


def board(client: Client, slug: str) -> Chart:
    """The best score of a server's board over time, its entries, and its references.

    Raises:
        ToolMissing: matplotlib is not installed.
        InvalidInput: The board has no entry with a score.
        ClientError: The server refused or did not answer, or has no such board.
    """
    about, page = client.board(slug), client.standings(slug)
    entries = [entry for entry in client.entries(slug) if entry["score"] is not None]
    if not entries:
        message = f"The board {slug} does not have an entry with a score yet."
        remedy = f"Look later, or submit one: optarena submit results.csv --board {slug} --agent NAME."
        raise InvalidInput(message, field="board", value=slug, remedy=remedy)
    with mpl.rc_context(_STYLE):
        figure = Chart(figsize=(9, 4.8))
        axes = figure.add_subplot()
        best = _draw_entries(axes, entries, has_ranks=not (page["provisional"] or page.get("withdrawn")))
        references = {str(one["label"]): float(one["score"]) for one in page["references"]}
        _draw_levels(axes, references)
        locator = AutoDateLocator(tz=UTC, minticks=3, maxticks=8)  # type: ignore[no-untyped-call]
        axes.xaxis.set_major_locator(locator)
        axes.xaxis.set_major_formatter(ConciseDateFormatter(locator, tz=UTC))  # type: ignore[no-untyped-call]
        axes.margins(x=0.06, y=0.12)
        axes.set_xlabel("Time of submission (UTC)")
        level = str(about["baseline_level"])
        axes.set_ylabel(f"Score: ratio to {_level_text(level) if level else 'the reference'} (times)")
        axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=3, fontsize=8)
        _name_levels(axes, references, "{:.4f}".format)
        _head(axes, f"{about['title']} ({slug})", best)
    return figure


def _draw_entries(axes: Axes, entries: Sequence[Json], *, has_ranks: bool) -> str:
    ranked: list[tuple[float, float]] = []
    others: list[tuple[float, float]] = []
    rises: list[tuple[float, float]] = []
    leader = ""
    times = [_time(str(entry["created"])) for entry in entries]
    start, length = min(times), max(times) - min(times)
    for when, entry in zip(times, entries, strict=True):
        score = float(entry["score"])
        is_ranked = entry["rank"] is not None or (not has_ranks and entry["verified"] == entry["total"])
        (ranked if is_ranked else others).append((when, score))
        if interval := entry.get("score_interval"):
            axes.plot([when, when], interval, color=_GREY, linewidth=1.4, zorder=1)
        if is_ranked and (not rises or score > rises[-1][1]):
            leader = str(entry["agent"])[:_NAME]
            rises.append((when, score))
            # Centred names at both ends would leave the axes.
            place = (when - start) / length if length else 0.5
            side = "left" if place < _SIDE else "right" if place > 1 - _SIDE else "center"
            axes.annotate(leader, (when, score), (0, 8), textcoords="offset points", ha=side, fontsize=8)
    if others:
        hollow = {"color": _GREY, "markerfacecolor": "white", "label": "entry without a rank"}
        axes.plot(*_columns(others), "o", **hollow)  # type: ignore[arg-type] # of several types
    if not rises:
        return f"{len(entries)} entries, none of them with a rank"
    path = [*rises, (max(when for when, _ in (*ranked, *others)), rises[-1][1])]
    axes.step(*_columns(path), where="post", color=_BLUE, linewidth=2, label="best so far")
    axes.plot(*_columns(ranked), "o", color=_BLUE, markersize=6, label="entry with a rank")
    return f"best: {rises[-1][1]:.4f} by {leader}"


_NAME: Final = 40
_SIDE: Final = 0.2  # Of the width of the axes: what half of the longest name takes.


def _time(text: str) -> float:
    return float(date2num(datetime.fromisoformat(text).astimezone(UTC)))  # type: ignore[no-untyped-call]


def blocks(source: ReplayResult | Mapping[str, Any]) -> Chart:
    """The measured blocks of a replay: the speed in each block, and in each pair of readings.

    Args:
        source: A replay, or the details of its measurement as the REST API has them.

    Raises:
        ToolMissing: matplotlib is not installed.
        InvalidInput: Nothing of it was measured in blocks.
    """
    if isinstance(source, ReplayResult):
        title, details = source.benchmark, source.measurement
    else:
        title, details = "Measured blocks", source
    measured = [block for block in details.get("blocks") or () if finite_number(block.get("ratio"))]
    if not measured:
        message = "Nothing of the replay was measured in blocks."
        remedy = "Draw a replay of an environment that measures times."
        raise InvalidInput(message, field="source", remedy=remedy)
    estimate = of_measurement(details)
    with mpl.rc_context(_STYLE):
        figure = Chart(figsize=(8, 2.2 + 0.32 * len(measured)))
        axes = figure.add_subplot()
        if estimate is not None:
            low, high = estimate.interval
            axes.axvspan(low, high, color=_BLUE, alpha=0.12, label="95 % confidence interval")
            axes.axvline(estimate.ratio, color=_BLUE, linewidth=1.6, label="geometric mean")
        axes.axvline(1, color=_LEVELS["O3"][0], linestyle="-.", linewidth=1.4, label="the reference (1.0)")
        for place, block in enumerate(measured, start=1):
            _draw_block(axes, place, block)
        axes.set_yticks(range(1, len(measured) + 1))
        axes.set_ylim(len(measured) + 0.7, 0.3)
        axes.grid(visible=False, axis="y")
        axes.set_ylabel("Block")
        axes.set_xlabel("Speed relative to the reference (times)")
        handles, labels = axes.get_legend_handles_labels()
        unique = dict(zip(labels, handles, strict=True))
        axes.legend(unique.values(), unique.keys(), loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=9)
        counting = sum(not block.get("discarded") for block in measured)
        mean = (
            ""
            if estimate is None
            else f"{estimate.ratio:.4f} times the reference ({low:.4f} to {high:.4f}); "
        )
        _head(axes, title, f"{mean}{counting} of {len(measured)} blocks count")
    return figure


def _draw_block(axes: Axes, place: int, block: Mapping[str, Any]) -> None:
    pairs = [value for one in block.get("pairs") or () if (value := finite_number(one)) is not None]
    counts = not block.get("discarded")
    colour = _BLUE if counts else _GREY
    axes.plot(
        pairs, [place] * len(pairs), "|", color=colour, markersize=9, alpha=0.7, label="pair of readings"
    )
    label = "block (median of its pairs)" if counts else "block that does not count"
    axes.plot(float(block["ratio"]), place, "o" if counts else "X", color=colour, markersize=8, label=label)


def _head(axes: Axes, title: str, summary: str) -> None:
    axes.set_title(f"{_short(title)}\n", loc="left", fontsize=12, fontweight="bold", color=_INK)
    axes.annotate(
        summary,
        (0, 1),
        (0, 8),
        xycoords="axes fraction",
        textcoords="offset points",
        color="#4A4A4A",
        fontsize=10,
    )


def _short(text: str) -> str:
    return text.removeprefix("benchmark://")


def _level_text(level: str) -> str:
    if level == UNOPTIMISED:
        return "-O0 (as given)"
    return level_text(level)


def _with_unit(quantity: str, unit: str) -> str:
    return quantity if not unit or unit in quantity else f"{quantity} ({unit})"


def _number(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.4g}"


def _style_of(level: str) -> tuple[str, Any]:
    return _LEVELS.get(level.rpartition("-")[2], _OTHER_LEVEL)


def _draw_levels(axes: Axes, levels: Mapping[str, float]) -> None:
    for value, names in _by_value(levels).items():
        colour, dashes = _style_of(names[-1])
        axes.axhline(value, color=colour, linestyle=dashes, linewidth=1.2, zorder=1)


def _name_levels(axes: Axes, levels: Mapping[str, float], form: Callable[[float], str] = _number) -> None:
    # At the right end of their lines, and apart from each other.
    low, high = axes.get_ylim()
    axes.set_ylim(low, high)
    former = -math.inf
    for value, names in sorted(_by_value(levels).items()):
        former = max((value - low) / (high - low), former + _LINE)
        text = f"{', '.join(map(_level_text, names))}  {form(value)}"
        colour, _ = _style_of(names[-1])
        axes.annotate(text, (1.01, former), xycoords="axes fraction", va="center", fontsize=9, color=colour)


def _by_value(levels: Mapping[str, float]) -> dict[float, list[str]]:
    # Levels of the same value share a line.
    found: dict[float, list[str]] = {}
    for level, value in sorted(levels.items()):
        found.setdefault(value, []).append(level)
    return found
