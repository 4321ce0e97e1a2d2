"""States of real programs in the real sandbox: their texts, and which sequences end in the same."""

from __future__ import annotations

import pytest

from optarena.datasets import datasets
from optarena.errors import InfrastructureFault, InvalidInput, ServiceError
from optarena.llvm.actions import UNSAFE
from optarena.replay import replay
from optarena.specs import environment_spec
from optarena.studies import Minimiser, text_difference
from optarena.study_states import SequenceTrials, texts_around
from tests.kit.numbers_env import FAKE, NUMBERS

LLVM = environment_spec("llvm-ic-v0")
SUDOKU = datasets()["kernels-v0"].benchmark("benchmark://kernels-v0/sudoku")


def actions(*names: str) -> list[int]:
    return [LLVM.action_table.names.index(name) for name in names]


def test_the_text_before_and_after_a_step_is_the_programs() -> None:
    before, after = texts_around(LLVM, SUDOKU, actions("simplifycfg", "mem2reg"))
    assert before.count(" alloca ") > after.count(" alloca ")
    found = text_difference(before, after, numbers=LLVM.state_numbers)
    assert found.removed > found.added
    assert 0 < found.lines < text_difference(before, after).lines


@pytest.mark.parametrize(("slug", "word"), [("loop_tool-v0", "for"), ("gpu-kernels-v0", "define")])
def test_compilers_whose_programs_are_not_llvms_have_a_text_too(slug: str, word: str) -> None:
    spec = environment_spec(slug)
    uri = spec.benchmark or next(iter(datasets()[spec.dataset])).uri
    benchmark = datasets()[spec.dataset].benchmark(str(uri))
    before, after = texts_around(spec, benchmark, [0])
    assert word in before
    assert word in after


def test_without_an_action_or_a_text_there_is_nothing_to_compare() -> None:
    with pytest.raises(InvalidInput, match="no action"):
        texts_around(LLVM, SUDOKU, [])
    assert not FAKE.state_text
    with pytest.raises(InvalidInput, match="no text"):
        texts_around(FAKE, NUMBERS, [0])


def test_the_shorter_sequence_ends_as_the_whole_one_in_a_replay() -> None:
    whole = actions("mem2reg", "globaldce", "instcombine", "mem2reg", "simplifycfg", "strip-dead-prototypes")
    first = replay(environment=LLVM, benchmark=SUDOKU, actions=whole)
    minimiser = Minimiser.of(len(whole), idle=[step.index for step in first.steps if step.had_no_effect])
    with SequenceTrials.within(LLVM, SUDOKU) as trials:
        assert trials.digest(whole) == first.steps[-1].digest
        while (found := minimiser.done) is None:
            tried = [whole[position] for position in minimiser.candidate()]
            minimiser.answer(suffices=trials.digest(tried) == first.steps[-1].digest)
    second = replay(environment=LLVM, benchmark=SUDOKU, actions=[whole[position] for position in found.kept])
    assert 0 < len(found.kept) < len(whole)
    assert (second.steps[-1].digest, second.metrics) == (first.steps[-1].digest, first.metrics)


def test_a_sequence_on_which_the_compiler_crashes_has_no_digest() -> None:
    harmless, crash = UNSAFE.index("strip-dead-debug-info"), UNSAFE.index("trigger-crash-module")
    with SequenceTrials.within(environment_spec("llvm-unsafe-v0"), SUDOKU) as trials:
        assert trials.digest([harmless, crash]) is None
        assert trials.digest([harmless])
        with pytest.raises(ServiceError):
            trials.texts_around([harmless, crash])


def test_a_check_ends_everything() -> None:
    seen = []

    def check() -> None:
        seen.append(1)
        if len(seen) > 3:
            raise TimeoutError("It takes too long.")

    with pytest.raises(TimeoutError), SequenceTrials.within(LLVM, SUDOKU, check=check) as trials:
        trials.digest(actions(*["mem2reg"] * 10))
    assert len(seen) == 4


def test_a_failure_of_an_action_that_a_replay_had_applied_is_the_machinerys() -> None:
    crash = UNSAFE.index("trigger-crash-module")
    with pytest.raises(InfrastructureFault):
        texts_around(environment_spec("llvm-unsafe-v0"), SUDOKU, [crash])
