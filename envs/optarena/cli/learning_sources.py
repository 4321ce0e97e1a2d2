"""The choice of programs to learn from, which the commands that learn share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

from optarena.datasets import datasets
from optarena.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from optarena.datasets import Benchmark

Command = TypeVar("Command", bound="Callable[..., Any]")
_OPTIONS = (
    click.option(
        "--from",
        "sources",
        multiple=True,
        required=True,
        metavar="DATASET[/SPLIT]",
        help="Learn from the programs of this dataset, or of a split of it; repeatable.",
    ),
    click.option("--largest", type=click.IntRange(1), help="Only programs with at most this cost as given."),
)


def program_choices(command: Command) -> Command:
    """The options that choose programs, with the arguments ``sources`` and ``largest``."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def learning_programs(sources: Sequence[str], cost: str, largest: int | None) -> Iterator[Benchmark]:
    """The programs of datasets and splits, each once, without those that are too large.

    Args:
        sources: Names of datasets, each perhaps with a slash and a split.
        cost: The metric that tells how large a program is.
        largest: The most that it may be as given; None for any.

    Raises:
        InvalidInput: There is no such dataset or split, or it has no fixed number of programs.
    """
    seen: set[str] = set()
    for source in sources:
        name, _, split = source.partition("/")
        dataset = datasets()[name]
        if dataset.kind != "stored":
            message = f"{name} has no fixed number of programs."
            raise InvalidInput(message, field="from", value=name, remedy="Name a stored dataset.")
        for benchmark in dataset.split(split) if split else dataset:
            size = benchmark.baseline(cost, "O0")
            if benchmark.uri not in seen and (largest is None or (size is not None and size <= largest)):
                seen.add(benchmark.uri)
                yield benchmark
