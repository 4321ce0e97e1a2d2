"""Programs of the user's own on the command line, and what a compiler's own levels make of a program."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from optarena.agents.reports import replace_file
from optarena.datasets.dataset import media_type, suffix_of
from optarena.errors import InvalidInput, ServiceError
from optarena.specs.benchmark import FILE_SCHEME, Benchmark, BenchmarkUri
from optarena.specs.environment import load

if TYPE_CHECKING:
    from optarena.env import CompilerEnv
    from optarena.specs import EnvironmentSpec, Metric

UNOBSERVED: Final = {"observation_space": None, "reward_space": None}
# What follows `--`; click takes these words as they are.
clang_options = click.argument(
    "clang_options", nargs=-1, type=click.UNPROCESSED, metavar="[-- CLANG OPTION...]"
)
drop_optnone = click.option(
    "--drop-optnone",
    is_flag=True,
    help="Remove the mark of functions that passes skip: `clang -O0` gives it to every function.",
)


def open_env(spec: EnvironmentSpec) -> CompilerEnv:
    env: CompilerEnv = load(spec.entry_point)(environment=spec)
    return env


def make_program(
    given: str, options: Sequence[str], spec: EnvironmentSpec, folder: Path, *, drop_optnone: bool
) -> Benchmark:
    # Where the environment makes programs of sources, the program made belongs into a file of the folder,
    # named after its content. Others read the file itself.
    if options and not options[0].startswith("-"):
        refuse_options(options, drop_optnone=False)
    with open_env(spec) as env:
        make: Any = getattr(env, "make_benchmark", None)
        if make is not None:
            made: Benchmark = make(given, copt=list(options), drop_optnone=drop_optnone)
            suffix = suffix_of(media_type(made.program()))
            path = (folder / f"{made.name}{suffix}").absolute()
            return replace(made, uri=str(BenchmarkUri(scheme=FILE_SCHEME, dataset="", path=str(path))))
    if options:
        message = f"{spec.slug} does not compile with clang, so that it takes none of its options."
        raise InvalidInput(message, field="program", value=options[0], remedy="Leave them out.")
    if drop_optnone:
        message = f"{spec.slug} takes programs as they are, without removing a mark."
        raise InvalidInput(message, field="drop_optnone", remedy="Leave --drop-optnone out.")
    return Benchmark.from_file(Path(given).expanduser())


def refuse_options(options: Sequence[str], *, drop_optnone: bool) -> None:
    if drop_optnone:
        message = "--drop-optnone is for a program of your own, and there is none."
        raise InvalidInput(message, field="drop_optnone", remedy="Name its file, or leave the option out.")
    if options:
        message = f"{options[0]!r:.100} is not expected here."
        remedy = "What follows -- are options of clang, for a source that is named before."
        raise InvalidInput(message, field="program", value=options[0], remedy=remedy)


def write_programs(benchmarks: Iterable[Benchmark]) -> list[Path]:
    # Those whose file does not exist yet.
    written = []
    for one in benchmarks:
        uri = BenchmarkUri.parse(one.uri)
        if uri.scheme == FILE_SCHEME and not (path := Path(uri.path)).exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, one.program())
            written.append(path)
    return written


def with_level(
    benchmarks: Sequence[Benchmark], spec: EnvironmentSpec, metric: Metric, level: str
) -> tuple[Benchmark, ...]:
    # With the values of the metric at the level, as far as the environment can compute them.
    name = f"{metric.observation}{level}"
    unknown = [one for one in benchmarks if one.baseline(metric.name, level) is None]
    found: dict[str, float] = {}
    if unknown:
        with open_env(spec) as env:
            for one in unknown if name in env.observation else ():
                with suppress(ServiceError):  # the search itself may work
                    env.reset(options={"benchmark": one, **UNOBSERVED})
                    found[one.uri] = float(env.observation[name])
    return tuple(
        replace(
            one,
            baselines={
                **one.baselines,
                metric.name: {**one.baselines.get(metric.name, {}), level: found[one.uri]},
            },
        )
        if one.uri in found
        else one
        for one in benchmarks
    )
