"""Portfolios: those of the package can be used, and what is wrong with another one is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from optarena.agents.known_sequences import (
    FOLDER,
    builtin_portfolio,
    find_portfolio,
    parse_portfolio,
    read_portfolio,
)
from optarena.datasets import datasets
from optarena.errors import InvalidDocument, InvalidInput, UnknownName
from optarena.specs import environment_spec

if TYPE_CHECKING:
    from pathlib import Path

TABLE = environment_spec("llvm-ic-v0").action_table
GOOD = """
name = "mine-v0"
kind = "portfolio"
table = "llvm-passes-v0"
[[sequence]]
actions = "sroa gvn"
origin = "benchmark://kernels-v0/quicksort"
added = 0.25
"""


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.toml")), ids=lambda path: path.stem)
def test_each_file_of_the_package_is_one(path: Path) -> None:
    portfolio = read_portfolio(path, TABLE)
    assert portfolio.name == path.stem
    assert builtin_portfolio(TABLE, portfolio.kind) is not None
    for uri in portfolio.trained_on:
        assert datasets().benchmark(uri).split in {"train", ""}, "it must not know what it is tried on"


def test_no_name_is_no_portfolio() -> None:
    with pytest.raises(UnknownName, match="single-v0"):
        find_portfolio("", TABLE)


def test_a_portfolio_has_its_sequences_in_order() -> None:
    portfolio = parse_portfolio(GOOD.encode(), TABLE)
    [one] = portfolio.sequences
    assert [TABLE.names[action] for action in one.actions] == ["sroa", "gvn"]
    assert (one.origin, one.added) == ("benchmark://kernels-v0/quicksort", 0.25)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name = ", "not TOML"),
        (GOOD.replace("sroa gvn", "sroa gvm"), "'gvm'"),
        (GOOD.replace("sroa gvn", ""), "missing"),
        (GOOD.replace("0.25", "nan"), "finite"),
        (GOOD.replace('kind = "portfolio"', "kind = 3"), "text"),
        (GOOD.replace("llvm-passes-v0", "stack-rewrites-v0"), "stack-rewrites-v0"),
        (GOOD.split("[[", maxsplit=1)[0], "sequence"),
        (GOOD + "weights = 3\n", "weights"),
        (GOOD + GOOD[GOOD.index("[[") :] * 50, "51 sequences"),
    ],
)
def test_what_is_wrong_with_a_portfolio_is_said(text: str, said: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_portfolio(text.encode(), TABLE)
    problems = caught.value.problems if isinstance(caught.value, InvalidDocument) else [caught.value]
    assert any(said in f"{one.field} {one.message} {one.value} {one.remedy}" for one in problems)


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.toml"
    with path.open("wb") as file:
        file.truncate(1 << 30)
    with pytest.raises(InvalidInput, match="more than 1,000,000 bytes"):
        read_portfolio(path, TABLE)
