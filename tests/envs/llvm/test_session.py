"""Tests of the LLVM session, in this process and behind the service."""

from __future__ import annotations

from pathlib import Path

import pytest

from optarena import limits
from optarena.errors import InvalidInput, SessionLimitExceeded
from optarena.isolation.limits import ProcessLimits
from optarena.llvm import features
from optarena.llvm.actions import CURATED, UNSAFE
from optarena.llvm.features import autophase
from optarena.llvm.module import LEVELS, Module, baseline
from optarena.llvm.session import LlvmSession, LlvmUnsafeSession
from optarena.service.client.connection import ManagedConnection
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.proto.compiler_gym_service_pb2 import CommandlineSpace

SAFE = "optarena.llvm.session:LlvmSession"
UNSAFE_TYPE = "optarena.llvm.session:LlvmUnsafeSession"
SPACES = {space.name: space for space in LlvmSession.observation_spaces}


def started(
    program: bytes, kind: type[LlvmSession] = LlvmSession, folder: Path = Path("/nowhere")
) -> LlvmSession:
    return kind(folder, kind.action_spaces[0], benchmark_of(program))


def benchmark_of(program: bytes) -> pb.Benchmark:
    return pb.Benchmark(uri="benchmark://tests-v0/x", program=pb.File(contents=program))


def apply(session: LlvmSession, name: str) -> bool:
    event = pb.Event(int64_value=next(iter(session.action_sets.values())).table.index(name))
    session.check_action(event)
    end, space, no_effect = session.apply_action(event)
    assert (end, space) == (False, None)
    return no_effect


def observe(session: LlvmSession, name: str) -> pb.Event:
    return session.get_observation(SPACES[name])


def test_the_spaces_are_those_of_the_contract() -> None:
    scalars = [
        metric + level for metric in ("IrInstructionCount", "ObjectTextSizeBytes") for level in ("", *LEVELS)
    ]
    assert list(SPACES)[: len(scalars) + 4] == ["Ir", "IrSha1", "Bitcode", "Autophase", *scalars]
    for kind, table in ((LlvmSession, CURATED), (LlvmUnsafeSession, UNSAFE)):
        space = kind.action_spaces[0]
        assert space.name == table.name
        offered = CommandlineSpace.FromString(space.space.any_value.value)
        assert tuple(offered.name) == table.names


def test_observations_are_those_of_the_engine(mixed: bytes) -> None:
    session = started(mixed)
    apply(session, "mem2reg")
    with Module.parse(mixed) as module:
        module.run("function(mem2reg)")
        assert observe(session, "IrInstructionCount").int64_value == module.instruction_count()
        assert observe(session, "ObjectTextSizeBytes").int64_value == module.text_size()
        assert observe(session, "Ir").string_value == module.text()
        assert observe(session, "IrSha1").string_value == module.digest()
        assert observe(session, "Bitcode").byte_tensor.value == module.bitcode()
        assert list(observe(session, "Bitcode").byte_tensor.shape) == [len(module.bitcode())]
        assert list(observe(session, "Autophase").int64_tensor.value) == autophase(module)
        assert list(observe(session, "Autophase").int64_tensor.shape) == [56]
    session.close()


def test_numbers_are_those_of_the_messages(mixed: bytes) -> None:
    session = started(mixed)
    apply(session, "sroa")
    sizes = [name for name in SPACES if name.startswith(("IrInstructionCount", "ObjectTextSizeBytes"))]
    for name in ("Autophase", "InstCount", *sizes):
        numbers, event = session.get_numbers(SPACES[name]), observe(session, name)
        is_one = event.HasField("int64_value")
        told = [event.int64_value] if is_one else list(event.int64_tensor.value)
        assert numbers is not None
        assert features.listed(numbers) == told, name
    assert session.get_numbers(SPACES["Ir"]) is None
    session.close()


@pytest.mark.parametrize("level", LEVELS)
def test_baselines_are_of_the_program_as_given(mixed: bytes, level: str) -> None:
    session = started(mixed)
    expected = baseline(mixed, level)
    for _ in range(2):
        assert observe(session, f"IrInstructionCount{level}").int64_value == expected.ir_instructions
        assert observe(session, f"ObjectTextSizeBytes{level}").int64_value == expected.text_size_bytes
        apply(session, "mem2reg")
    session.close()


def test_no_effect_means_equal_bitcode_for_every_action(mixed: bytes) -> None:
    session = started(mixed)
    for name in CURATED.names:
        before = session.module.bitcode()
        assert apply(session, name) == (session.module.bitcode() == before), name
    session.close()


def test_observing_does_not_change_later_states(mixed: bytes, tmp_path: Path) -> None:
    watched, unwatched = started(mixed, folder=tmp_path), started(mixed)
    for name in ("sroa", "inline", "gvn", "loop-unroll<O3>", "simplifycfg<late>"):
        for space in SPACES:
            observe(watched, space)
        assert apply(watched, name) == apply(unwatched, name)
    assert observe(watched, "Bitcode") == observe(unwatched, "Bitcode")


@pytest.mark.parametrize("index", [-1, len(CURATED)])
def test_an_index_outside_of_the_table_is_a_value_error(mixed: bytes, index: int) -> None:
    session = started(mixed)
    with pytest.raises(ValueError, match=f"no action {index}"):
        session.check_action(pb.Event(int64_value=index))
    session.close()


def test_a_program_that_is_too_large_is_refused() -> None:
    with pytest.raises(InvalidInput, match=f"At most {limits.MAX_BENCHMARK_BYTES}"):
        started(b";" * (limits.MAX_BENCHMARK_BYTES + 1))


def test_growth_beyond_the_limit_is_refused(growing: bytes) -> None:
    session = started(growing, LlvmUnsafeSession)
    with pytest.raises(SessionLimitExceeded, match=r"1048582 instructions after module-inline; .* 1000000"):
        apply(session, "module-inline")
    session.close()


def ask(session_type: str, program: bytes, *names: str, cpu_seconds: float = 10) -> list[int]:
    table = UNSAFE if session_type == UNSAFE_TYPE else CURATED
    allowed = ProcessLimits(cpu_seconds_per_call=cpu_seconds)
    connection = ManagedConnection.open(session_type, limits=allowed, sandbox=True)
    try:
        start = pb.StartSessionRequest(benchmark=benchmark_of(program))
        session = connection.start_session(start).session_id
        count = list(SPACES).index("IrInstructionCount")
        counts = []
        for name in names:
            step = pb.StepRequest(
                session_id=session,
                action=[pb.Event(int64_value=table.index(name))],
                observation_space=[count],
            )
            counts.append(connection.step(step).observation[0].int64_value)
        return counts
    finally:
        connection.close()


def test_a_confined_session_computes_what_the_engine_computes(mixed: bytes) -> None:
    names = ("sroa", "inline", "instcombine", "gvn", "simplifycfg<late>", "loop-vectorize")
    expected = []
    with Module.parse(mixed) as module:
        for name in names:
            module.run(CURATED.action(CURATED.index(name)).pipeline)
            expected.append(module.instruction_count())
    assert ask(SAFE, mixed, *names) == expected


def test_every_curated_action_ends_quickly_where_an_unsafe_one_hangs(hanging: bytes) -> None:
    counts = ask(SAFE, hanging, *CURATED.names, cpu_seconds=5)
    assert len(counts) == len(CURATED)
