"""An entry's totals are exact: they depend on what its items are, and not on how they came to be that."""

from __future__ import annotations

import math
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from leaderboard.boards.ranking import (
    BoardScale,
    Counted,
    Reference,
    Totals,
    exact_sum_text,
    read_exact_sum,
    score_board,
)

URIS: Final = tuple("abcdef")
values = st.floats(min_value=1e-6, max_value=1e12)
references = st.fixed_dictionaries(
    {uri: st.builds(Reference, baseline=values, unoptimised=values) for uri in URIS}
)


def verified(uri: str, value: float) -> Counted:
    return Counted(
        uri, pending=False, verified=True, value=value, log_ratio=math.log(value), effective_actions=2
    )


def pending(uri: str) -> Counted:
    return Counted(uri, pending=True, verified=False, value=None, log_ratio=None, effective_actions=None)


def scale_of(found: dict[str, Reference] | None, *, lower: bool) -> BoardScale:
    return BoardScale(benchmarks=URIS, baselines={}, references=found, lower_is_better=lower)


@given(
    found=st.none() | references,
    lower=st.booleans(),
    story=st.lists(st.tuples(st.sampled_from(URIS), st.none() | values), max_size=30),
    order=st.permutations(URIS),
)
def test_totals_after_any_story_are_those_of_its_end(
    *,
    found: dict[str, Reference] | None,
    lower: bool,
    story: list[tuple[str, float | None]],
    order: list[str],
) -> None:
    """Items end and are reopened again and again; only what they are at the end counts."""
    scale = scale_of(found, lower=lower)
    now = {uri: pending(uri) for uri in URIS}
    kept = scale.nothing()
    for item in now.values():
        scale.count(item, kept)
    for uri, value in story:
        scale.count(now[uri], kept, -1)
        now[uri] = pending(uri) if value is None else verified(uri, value)
        scale.count(now[uri], kept)
    whole = scale.nothing()
    for uri in order:
        scale.count(now[uri], whole)
    assert kept == whole
    assert scale.score(kept, benchmarks=len(URIS)) == scale.score(whole, benchmarks=len(URIS))


@given(
    found=references, lower=st.booleans(), ended=st.dictionaries(st.sampled_from((*URIS, "other")), values)
)
def test_the_score_of_totals_is_that_of_the_whole_sum(
    *, found: dict[str, Reference], lower: bool, ended: dict[str, float]
) -> None:
    scale = scale_of(found, lower=lower)
    totals = scale.nothing()
    for uri, value in ended.items():
        scale.count(verified(uri, value), totals)
    assert scale.score(totals, benchmarks=len(URIS)) == score_board(found, ended, lower_is_better=lower)
    assert totals.effective_actions == 2 * len(ended)


def test_a_sum_of_floats_is_not_rounded() -> None:
    scale = scale_of(None, lower=False)
    totals = scale.nothing()
    logs = {"a": 1e-17, "b": 1.0, "c": 2.0**-1074}
    for sign in (1, -1):
        for uri, log in logs.items():
            item = verified(uri, 1.0)._replace(log_ratio=log)
            scale.count(item, totals, sign)
        if sign > 0:
            assert totals.sums.log == math.fsum(logs.values())
    assert totals == Totals()


@given(st.integers() | st.floats(allow_nan=False, allow_infinity=False).map(lambda one: int(one) << 1000))
def test_a_sum_is_read_as_it_was_written(whole: int) -> None:
    assert read_exact_sum(exact_sum_text(whole)) == whole


def test_sums_are_written_without_trailing_zeros() -> None:
    assert [exact_sum_text(one << 1074) for one in (0, 1, -3, 12)] == ["0p-1074", "1p0", "-3p0", "3p2"]
