"""The parameters that every session answers: its verifier, and runs of its program."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from optarena.service.proto.compiler_gym_service_pb2 import Benchmark, Event, File
from optarena.service.protocol.messages import (
    RUN_PROGRAM,
    VERIFY,
    ProgramRun,
    handle_cache_parameter,
    handle_session_parameter,
    program_order,
    program_run,
)
from optarena.service.session_process.benchmarks import BenchmarkCache

if TYPE_CHECKING:
    from collections.abc import Callable

ORDER = json.loads(program_order(("a",), b"x", seconds=3, output_bytes=4))


@pytest.fixture
def session(sorting: Any) -> Any:
    """A session on three numbers."""
    benchmark = Benchmark(uri="benchmark://x-v0/x", program=File(contents=b"3 1 2"))
    return sorting.SortSession(Path(), sorting.SortSession.action_spaces[0], benchmark)


@pytest.fixture
def spoil(session: Any, sorting: Any) -> Callable[[str], None]:
    """Applies an action."""
    return lambda name: session.apply_action(Event(int64_value=sorting.ACTIONS.index(name)))


def ask(session: Any, key: str, value: str = "") -> str:
    reply = handle_session_parameter(session, key, value, lambda _: None)
    assert reply is not None
    return reply


def test_a_program_runs_within_the_limits_that_are_asked_for(session: Any) -> None:
    granted: list[float] = []
    reply = handle_session_parameter(session, RUN_PROGRAM, json.dumps(ORDER), granted.append)
    assert granted == [3]
    assert program_run(reply or "") == ProgramRun(
        stdout=b"axax", exit_code=3, output_truncated=True, failure=""
    )


def test_what_cannot_be_run_any_more_says_why(session: Any, spoil: Callable[[str], None]) -> None:
    spoil("refuse")
    assert program_run(ask(session, RUN_PROGRAM, json.dumps(ORDER))).failure == "it has lost its first line"


def test_the_verifier_answers_what_is_wrong(session: Any, spoil: Callable[[str], None]) -> None:
    assert ask(session, VERIFY) == ""
    spoil("spoil")
    assert ask(session, VERIFY) == "it is spoiled"


def test_a_parameter_that_nobody_knows_has_no_answer(session: Any) -> None:
    assert handle_session_parameter(session, "nothing", "", lambda _: None) is None


@pytest.mark.parametrize(
    "value",
    [
        "",
        "[]",
        "[" * 100_000,
        json.dumps(ORDER | {"arguments": "a"}),
        json.dumps(ORDER | {"arguments": [1]}),
        json.dumps(ORDER | {"arguments": ["a\ud800"]}),
        json.dumps(ORDER | {"stdin": "ü"}),
        json.dumps(ORDER | {"seconds": 0}),
        json.dumps(ORDER | {"seconds": 1e9}),
        json.dumps(ORDER | {"seconds": True}),
        json.dumps(ORDER | {"output_bytes": "many"}),
    ],
)
def test_an_order_that_makes_no_sense_is_refused(value: str, session: Any) -> None:
    with pytest.raises(ValueError, match=r"service\.run_program"):
        ask(session, RUN_PROGRAM, value)


@pytest.mark.parametrize("reply", ["", "{}", "[]", '{"stdout": 1, "exit_code": "x"}', '{"stdout": "ü"}'])
def test_an_answer_that_makes_no_sense_is_refused(reply: str) -> None:
    with pytest.raises(ValueError, match=r"service\.run_program"):
        program_run(reply)


def test_the_limit_of_the_cache_is_plain_digits(tmp_path: Path) -> None:
    cache = BenchmarkCache()
    key = "service.benchmark_cache.set_max_size_in_bytes"
    for value in ("0", "007", "9" * 15):
        assert handle_cache_parameter(cache, key, value) == str(int(value))
    for value in ("", "-1", "+5", " 5", "5\n", "1_000", "\u0663", "0x10", "1e3", "9" * 16, "9" * 5000):
        with pytest.raises(ValueError, match="at most 15 digits"):
            handle_cache_parameter(cache, key, value)
    assert cache.max_size_in_bytes == 10**15 - 1
