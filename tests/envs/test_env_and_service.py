"""What an environment and its service must agree on: programs, actions, and replies to parameters."""

from __future__ import annotations

import pickle
from dataclasses import replace
from typing import Any, ClassVar

import pytest
from fake_compiler import ACTIONS, FakeSession
from plain_server import PlainServer, fake_service

import optarena
from optarena.datasets import Benchmark
from optarena.env import CompilerEnv
from optarena.errors import InvalidAnswer, InvalidInput
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.specs import NamedActions
from tests.kit.numbers_env import FAKE, NUMBERS

APPEND = ACTIONS.index("append")


@pytest.mark.parametrize("compares", [True, False])
def test_an_episode_has_its_own_program_though_another_client_sent_another_of_that_uri(
    *, compares: bool
) -> None:
    service = fake_service()

    def start(data: bytes, context: Any) -> bytes:
        request = pb.StartSessionRequest.FromString(data)
        if not compares:  # as services of CompilerGym
            request.ClearField("program_sha256")
        return service.StartSession(request, context).SerializeToString()

    one, other = (Benchmark.from_bytes("file:///tmp/p.numbers", program) for program in (b"a", b"bc"))
    server = PlainServer(service, overrides={"StartSession": start})
    try:
        with (
            CompilerEnv(FAKE, benchmark=one, service=server.endpoint) as env,
            CompilerEnv(FAKE, benchmark=other, service=server.endpoint) as another,
        ):
            assert [each.reset()[0] for each in (env, another, env, another)] == [1, 2, 1, 2]
    finally:
        server.stop(0)


def test_a_service_that_takes_programs_by_add_benchmark_gets_one_for_each_episode() -> None:
    service, sent = fake_service(), list[str]()

    def start(data: bytes, context: Any) -> bytes:  # as services that find programs by their URI alone
        request = pb.StartSessionRequest.FromString(data)
        sent.append("start with it" if request.benchmark.HasField("program") else "start")
        request.benchmark.ClearField("program")
        request.ClearField("program_sha256")
        return service.StartSession(request, context).SerializeToString()

    def add(data: bytes, context: Any) -> bytes:
        sent.append("add")
        return service.AddBenchmark(pb.AddBenchmarkRequest.FromString(data), context).SerializeToString()

    server = PlainServer(service, overrides={"StartSession": start, "AddBenchmark": add})
    try:
        with CompilerEnv(FAKE, benchmark=NUMBERS, service=server.endpoint) as env:
            assert [env.reset()[0], env.reset()[0]] == [3, 3]
    finally:
        server.stop(0)
    assert sent == ["start with it", "add", "start", "add", "start"]


def test_a_service_that_does_not_reply_to_a_parameter_is_told_of() -> None:
    silent = {"SendSessionParameter": lambda *_: b""}
    server = PlainServer(fake_service(), overrides=silent)
    try:
        with CompilerEnv(FAKE, benchmark=NUMBERS, service=server.endpoint) as env:
            env.reset()
            with pytest.raises(InvalidAnswer, match="0 replies to one parameter"):
                env.parameter("fake.parameter", "x")
            assert env.step(APPEND)[0] == 4
            with pickle.loads(pickle.dumps(env)) as twin:  # noqa: S301 # made here
                assert twin.actions == [APPEND]
    finally:
        server.stop(0)


@pytest.mark.parametrize("is_remote", [False, True])
def test_a_spec_whose_own_service_has_its_actions_in_another_order_is_refused(*, is_remote: bool) -> None:
    server = PlainServer(fake_service()) if is_remote else None
    service = server.endpoint if server else FAKE.service
    spec = replace(FAKE, action_table=NamedActions("fake-v0", ACTIONS[::-1], "fake"), service=service)
    try:
        with pytest.raises(InvalidInput, match=r"does not offer the actions.* in the same order"):
            CompilerEnv(spec, benchmark=NUMBERS)
    finally:
        if server:
            server.stop(0)


class NumberedSession(FakeSession):
    """The fake compiler, whose actions have numbers only."""

    action_spaces: ClassVar[list[pb.ActionSpace]] = [
        pb.ActionSpace(name="all", space=pb.Space(discrete=pb.DiscreteSpace(n=len(ACTIONS))))
    ]


def test_a_service_may_have_actions_without_names_if_it_has_as_many_as_the_table() -> None:
    spec = replace(FAKE, service=f"{__name__}:NumberedSession")
    with CompilerEnv(spec, benchmark=NUMBERS, service="in-process") as env:
        env.reset()
        assert env.step(APPEND)[0] == 4
        assert env.commandline() == "fake append"
    fewer = replace(spec, action_table=NamedActions("fake-v0", ACTIONS[1:], "fake"))
    with pytest.raises(InvalidInput, match="does not offer the actions"):
        CompilerEnv(fewer, benchmark=NUMBERS, service="in-process")


@pytest.mark.parametrize("name", ["gcc-v0", "llvm-loops-v0"])
def test_actions_of_several_parts_are_those_of_their_service(name: str) -> None:
    with optarena.make(name, service="in-process") as env:
        assert env.service.action_spaces[0].name == env.action_table.name
