"""Environment specs: lookup, digests, actions in canonical form."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from optarena.actions import is_structured
from optarena.errors import InvalidAction, UnknownName
from optarena.specs import (
    EnvironmentSpec,
    actions_digest,
    canonical_actions,
    environment_spec,
    environment_specs,
    unknown_name,
)

SPECS = environment_specs()
SPEC = environment_spec("llvm-ic-v0")


def test_the_environments_of_the_issue_exist() -> None:
    slugs = """
    llvm-v0 llvm-ic-v0 llvm-autophase-ic-v0 llvm-codesize-v0 llvm-autophase-codesize-v0 llvm-
    loadsize-v0 llvm-runtime-v0 llvm-loops-v0 llvm-finer-v0 llvm-unsafe-v0 loop_tool-v0 gpu-kernels-v0
    gpu-levels-v0 gpu-runtime-v0 gcc-v0 gcc-runtime-v0 gcc-unsafe-v0
    """
    assert [spec.id for spec in SPECS] == [f"optarena/{slug}" for slug in slugs.split()]


def test_id_and_slug_find_the_same_environment() -> None:
    assert environment_spec("optarena/llvm-v0") is environment_spec("llvm-v0")


def test_an_unknown_environment_is_named_with_near_matches() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'llvm-ic-v0'"):
        environment_spec("llvm-ci-v0")


PROGRAMS = ("programs-smoke-v0", "programs-v0", "kernels-v0", "csmith-v0", "loop_tool-cpu-v0")
PATHS = tuple(f"benchmark://programs-v0/{path}" for path in ("blosc", "h3", "lz4", "qoi", "zlib/deflate"))


@pytest.mark.parametrize(
    ("name", "known", "expected"),
    [
        ("programs-v1", PROGRAMS, ["programs-v0"]),  # another version
        ("programs", PROGRAMS, ["programs-v0"]),
        ("PROGRAMS-V0", PROGRAMS, ["programs-v0"]),
        ("progarms-v0", PROGRAMS, ["programs-v0"]),
        ("kernel-v0", PROGRAMS, ["kernels-v0"]),
        ("csmiths-v0", PROGRAMS, ["csmith-v0"]),
        ("loop-tool-cpu-v0", PROGRAMS, ["loop_tool-cpu-v0"]),
        ("programs-v", PROGRAMS, ["programs-v0"]),
        ("pro", PROGRAMS, ["programs-v0", "programs-smoke-v0"]),
        ("benchmark://programs-v0/lz", PATHS, ["benchmark://programs-v0/lz4"]),
        ("benchmark://programs-v0/lz5", PATHS, ["benchmark://programs-v0/lz4"]),
        ("benchmark://programs-v0/bolsc", PATHS, ["benchmark://programs-v0/blosc"]),
        ("benchmark://programs-v0/qois", PATHS, ["benchmark://programs-v0/qoi"]),
        ("benchmark://programs-v0/deflate", PATHS, ["benchmark://programs-v0/zlib/deflate"]),
        ("optarena/llvm-ci-v0", ("llvm-ic-v0", "llvm-v0"), ["llvm-ic-v0"]),
    ],
)
def test_near_names_are_proposed(name: str, known: tuple[str, ...], expected: list[str]) -> None:
    remedy = unknown_name("thing", name, known).remedy
    assert remedy == f"Did you mean {' or '.join(map(repr, expected))}?"


@pytest.mark.parametrize("name", ["units-v0", "nosuch-v0", "pr", "smoke-v0", "-v0", "", None, "x" * 10_000])
def test_what_is_near_to_nothing_is_answered_with_what_there_is(name: str | None) -> None:
    error = unknown_name("dataset", name, PROGRAMS)
    assert error.remedy == f"The known ones are: {', '.join(PROGRAMS)}."
    assert len(error.message) < 300


@pytest.mark.parametrize("path", ["nosuch", "h4", "programs", "zlib/x"])
def test_the_dataset_makes_no_benchmarks_near(path: str) -> None:
    remedy = unknown_name("benchmark", f"benchmark://programs-v0/{path}", PATHS).remedy
    assert remedy == "The known ones are: blosc, h3, lz4, qoi, zlib/deflate."


def test_only_environments_of_passes_that_are_safe_can_be_on_a_board() -> None:
    names = {spec.slug for spec in SPECS if not spec.boardable}
    assert names == {"gcc-unsafe-v0", "llvm-loops-v0", "llvm-unsafe-v0"}


def test_the_digest_depends_on_the_action_table_only_where_it_differs() -> None:
    assert SPEC.digest == environment_spec("llvm-v0").digest
    assert SPEC.digest != environment_spec("llvm-unsafe-v0").digest
    assert len(SPEC.digest) == 64


def test_the_version_is_json_without_python_names() -> None:
    text = json.dumps(SPEC.version_spec())
    assert "optarena." not in text
    assert json.loads(text) == SPEC.version_spec()


@pytest.mark.parametrize(
    "spec", [one for one in SPECS if not is_structured(one.action_table)], ids=lambda spec: spec.slug
)
@given(data=st.data())
def test_command_lines_round_trip(spec: EnvironmentSpec, data: st.DataObject) -> None:
    indices = st.integers(0, len(spec.action_table.names) - 1)
    actions = tuple(data.draw(st.lists(indices, max_size=20)))
    assert spec.parse_commandline(spec.commandline(actions)) == actions


@pytest.mark.parametrize("action", [-1, 10_000, 1.0, "sroa", None, True, np.float64(1)])
def test_what_is_no_action_is_refused_with_its_position(action: object) -> None:
    with pytest.raises(InvalidAction, match="position 1") as caught:
        SPEC.check_actions([0, action])
    assert "0 to" in str(caught.value)


def test_numpy_integers_are_actions() -> None:
    assert SPEC.check_actions([np.int64(3), np.uint8(4)]) == (3, 4)


def test_canonical_actions_are_versioned_json_whatever_the_integer_type() -> None:
    assert canonical_actions([1, np.int32(2)]) == '{"actions":[1,2],"version":1}'  # type: ignore[list-item] # as above
    assert actions_digest([1, 2]) == actions_digest((1, 2))
    assert actions_digest([1, 2]) != actions_digest([2, 1])


def test_unknown_metrics_and_rewards_are_named() -> None:
    assert SPEC.metric("ir_instructions").exact
    assert SPEC.reward("IrInstructionCountOz").level == "Oz"
    with pytest.raises(UnknownName, match="text_size_bytes"):
        SPEC.metric("text_size")
    with pytest.raises(UnknownName, match="IrInstructionCountOz"):
        SPEC.reward("IrInstructionCountOs")
