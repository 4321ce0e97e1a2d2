"""The contract of a compiler service, checked on every compiler there is, and over every transport."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from optarena.errors import InvalidInput, SessionNotFound
from optarena.service.converters import event_to_member, space_to_gymnasium
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.protocol.messages import index_range
from optarena.service.session_process import session_types
from optarena.specs import environment_specs
from tests.kit.every_service import (
    SERVICES,
    OpenService,
    Session,
    executable,
)

if TYPE_CHECKING:
    from pathlib import Path


NOBODY = 987_654_321
WHOLE = ("fake-managed", "fake-in-process", "fake-script")
"""One compiler over each kind of transport: these have the whole contract checked."""
SLOW = "kernel-levels-managed"
"""Takes as long as the other compiler of kernels, whose program, target and observations it has."""
BUILT = "stack-cpp"
"""The one that must be built first, which takes a minute."""
OBSERVED_SLOWLY = "kernels-managed"
"""Needs many seconds for some of its observations."""
CACHE = "service.benchmark_cache."


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Check of the others by default only what their compiler, or their transport, can break."""
    if "opened" in metafunc.fixturenames:
        services = []
        for name in SERVICES:
            managed = name.endswith("-managed")
            checked = name in WHOLE or metafunc.function in (ON_EACH_COMPILER if managed else ON_EACH_CARRIER)
            is_slow = name == OBSERVED_SLOWLY and metafunc.function in OBSERVE_ALL
            is_default = checked and not is_slow and name not in (BUILT, SLOW)
            services.append(pytest.param(name, marks=() if is_default else pytest.mark.soak))
        metafunc.parametrize("opened", services, indirect=True, scope="module")


@pytest.fixture(scope="module")
def opened(request: pytest.FixtureRequest) -> Iterator[OpenService]:
    compiler, connect = SERVICES[request.param]
    reached = connect(compiler) if connect else executable(request.getfixturevalue("cpp_service"))
    try:
        yield OpenService(request.param, compiler, reached)
    finally:
        reached.close()


@pytest.fixture
def service(opened: OpenService) -> Iterator[OpenService]:
    yield opened
    opened.end_sessions()


@pytest.fixture
def session(service: OpenService) -> Session:
    return service.start()


def test_every_registered_compiler_is_among_the_services() -> None:
    described = tuple({session_types.load(compiler.session_type) for compiler, _ in SERVICES.values()})
    # Another release of a compiler cannot be in the same process.
    specs = [spec for spec in environment_specs() if not spec.predecessor]
    assert all(issubclass(session_types.load(spec.service), described) for spec in specs)


# What a service says about itself.


def test_versions_are_told(service: OpenService) -> None:
    assert service.version.service_version
    assert service.version.compiler_version


def test_spaces_have_names_of_their_own_values_and_a_form_in_gymnasium(service: OpenService) -> None:
    for spaces in (service.spaces.action_space_list, service.spaces.observation_space_list):
        names = [space.name for space in spaces]
        assert names
        assert all(names)
        assert len(set(names)) == len(names)
        for space in spaces:
            assert space.space.WhichOneof("value")
            space_to_gymnasium(space.space)


def test_default_observations_are_in_their_spaces(service: OpenService) -> None:
    for space in service.spaces.observation_space_list:
        member = event_to_member(space.default_observation, space.space)
        assert space_to_gymnasium(space.space).contains(member), space.name


def test_all_connections_are_told_the_same(service: OpenService) -> None:
    connection = service.connect()
    assert connection.get_spaces(pb.GetSpacesRequest()) == service.spaces
    assert connection.get_version(pb.GetVersionRequest()) == service.version


# Starting a session.


def test_a_session_is_started_with_a_program_and_observed_at_once(service: OpenService) -> None:
    session = service.start(observe=service.deterministic)
    assert session.id > 0
    assert list(session.started.observation) == list(session.step(observe=service.deterministic).observation)


def test_a_benchmark_is_unknown_until_it_is_added(service: OpenService) -> None:
    connection = service.connect()
    benchmark = service.benchmark("added-later")
    by_uri = pb.Benchmark(uri=benchmark.uri)
    with pytest.raises(FileNotFoundError, match=f"Benchmark not found: {benchmark.uri}"):
        service.start(by_uri, connection=connection)
    connection.add_benchmark(pb.AddBenchmarkRequest(benchmark=[benchmark]))
    assert service.start(by_uri, connection=connection).state() == service.start().state()


def test_a_program_under_a_known_uri_replaces_the_one_before(service: OpenService) -> None:
    connection = service.connect()
    for contents in (service.compiler.other, service.compiler.program):
        benchmark = service.benchmark("replaced", contents)
        connection.add_benchmark(pb.AddBenchmarkRequest(benchmark=[benchmark]))
    replaced = service.start(pb.Benchmark(uri=benchmark.uri), connection=connection)
    first, second = replaced.state(), service.start().state()
    assert first == second
    assert first != service.start(service.benchmark("other", service.compiler.other)).state()


def test_a_program_may_be_a_file(service: OpenService, tmp_path: Path) -> None:
    path, connection = tmp_path / "a program", service.connect()
    path.write_bytes(service.compiler.program)
    benchmark = service.benchmark("file", uri=f"file://{str(path).replace(' ', '%20')}")
    connection.add_benchmark(pb.AddBenchmarkRequest(benchmark=[benchmark]))
    path.unlink()
    from_file = service.start(pb.Benchmark(uri=benchmark.uri), connection=connection)
    assert from_file.state() == service.start().state()


@pytest.mark.parametrize(
    ("program", "error", "message"),
    [
        ({}, InvalidInput, "No program set"),
        ({"contents": b""}, InvalidInput, "No program set"),
        ({"uri": "file:///nowhere/program"}, FileNotFoundError, "/nowhere/program"),
        ({"uri": "file:///usr"}, InvalidInput, "Not a file: /usr"),
        ({"uri": "http://example.com/program"}, InvalidInput, "only file:/// is supported"),
        ({"uri": ""}, InvalidInput, "only file:/// is supported"),
        ({"contents": bytes(8_000_001)}, InvalidInput, "8000001 bytes, at most 8000000"),
    ],
)
def test_programs_that_cannot_be_read_are_refused_and_not_kept(
    service: OpenService, program: dict[str, Any], error: type[Exception], message: str
) -> None:
    connection = service.connect()
    bad = pb.Benchmark(uri="benchmark://bad-v0/bad", program=pb.File(**program))
    good = service.benchmark("beside-bad")
    with pytest.raises(error, match=message):
        service.start(bad, connection=connection)
    with pytest.raises(error, match=message):
        connection.add_benchmark(pb.AddBenchmarkRequest(benchmark=[good, bad]))
    for benchmark in (bad, good):
        with pytest.raises(FileNotFoundError, match="Benchmark not found"):
            service.start(pb.Benchmark(uri=benchmark.uri), connection=connection)


def test_a_program_that_does_not_parse_is_invalid_and_named(service: OpenService) -> None:
    bad = service.benchmark("unparsable", service.compiler.unparsable)
    with pytest.raises(InvalidInput, match=bad.uri):
        service.start(bad)


def test_a_start_without_uri_or_with_spaces_out_of_range_is_invalid(service: OpenService) -> None:
    for benchmark in (pb.Benchmark(), pb.Benchmark(program=service.benchmark().program)):
        with pytest.raises(InvalidInput, match="No benchmark URI"):
            service.start(benchmark)
    for index in (-1, len(service.spaces.action_space_list)):
        with pytest.raises(InvalidInput, match=f"action space: {index} is out of range"):
            service.start(action_space=index)
    for index in (-1, len(service.observations)):
        with pytest.raises(InvalidInput, match=f"observation space: {index} is out of range"):
            service.start(observation_space=[0, index])


@pytest.mark.parametrize("name", ["x" * 100_000, "é" * 50_000, "a\x00b\nc", "%41 'quoted'"])
def test_names_of_any_form_are_carried(service: OpenService, name: str) -> None:
    connection = service.connect()
    benchmark = service.benchmark(name)
    by_uri = pb.Benchmark(uri=benchmark.uri)
    with pytest.raises(FileNotFoundError, match="Benchmark not found"):
        service.start(by_uri, connection=connection)
    connection.add_benchmark(pb.AddBenchmarkRequest(benchmark=[benchmark]))
    session = service.start(by_uri, connection=connection)
    with pytest.raises(InvalidInput, match="Unknown parameter"):
        session.send(name)
    assert session.state()


# Steps.


def test_observations_are_of_their_spaces_in_the_order_asked_for(
    service: OpenService, session: Session
) -> None:
    for action, names in (
        ((), (*service.possible, service.possible[0])),
        (service.compiler.actions, tuple(reversed(service.possible))),
    ):
        reply = session.step(*action, observe=names)
        assert len(reply.observation) == len(names)
        for name, event in zip(names, reply.observation, strict=True):
            space = service.observations[name].space
            assert space_to_gymnasium(space).contains(event_to_member(event, space)), name


def test_observations_that_cannot_be_made_say_so_and_harm_nothing(
    service: OpenService, session: Session
) -> None:
    before = session.state()
    for name, error in service.compiler.failing.items():
        with pytest.raises(error):
            session.step(observe=(name,))
    assert session.state() == before


def test_the_same_actions_give_the_same_bytes_one_by_one_or_all_at_once(service: OpenService) -> None:
    first, second, third = service.start(), service.start(), service.start()
    actions = service.compiler.actions
    states = [(first.step(action), first.state()) for action in actions]
    assert states == [(second.step(action), second.state()) for action in actions]
    third.step(*actions)
    assert first.step(observe=service.deterministic) == third.step(observe=service.deterministic)


def test_an_action_had_an_effect_if_something_changed(service: OpenService, session: Session) -> None:
    effects = set()
    for action in service.compiler.actions:
        before = session.state()
        no_effect = session.step(action).action_had_no_effect
        if session.state() != before:
            assert not no_effect, action
        effects.add(no_effect)
    assert False in effects
    assert session.step().action_had_no_effect


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (pb.Event(int64_value=NOBODY), f"{NOBODY} is out of range, expected 0 to"),
        (pb.Event(int64_value=-1), "-1 is out of range, expected 0 to"),
        (pb.Event(string_value="1"), "expected int64_value, got string_value"),
        (pb.Event(int64_tensor=pb.Int64Tensor(shape=[1], value=[0])), "expected int64_value, got int64_t"),
        (pb.Event(), "expected int64_value, got no value"),
    ],
)
def test_a_bad_action_is_named_and_nothing_of_its_step_is_applied(
    service: OpenService, session: Session, bad: pb.Event, message: str
) -> None:
    before = session.state()
    good = service.numbered_actions()[0]
    for actions in ((bad,), (good, bad), (bad, good)):
        with pytest.raises(InvalidInput, match=message):
            session.step(*actions)
        assert session.state() == before


def test_the_first_action_out_of_range_is_the_number_of_actions(
    service: OpenService, session: Session
) -> None:
    actions = service.numbered_actions() and service.spaces.action_space_list[0]
    if session.started.HasField("new_action_space"):
        actions = session.started.new_action_space
    count = index_range(actions.space)
    assert count
    with pytest.raises(InvalidInput, match=f"{count} is out of range, expected 0 to {count - 1}"):
        session.step(count)


def test_an_observation_space_out_of_range_is_invalid_and_no_action_is_applied(
    service: OpenService, session: Session
) -> None:
    before = session.state()
    action = service.event(service.compiler.actions[0])
    for index in (-1, len(service.observations)):
        request = pb.StepRequest(session_id=session.id, action=[action], observation_space=[index])
        with pytest.raises(InvalidInput, match=f"observation space: {index} is out of range"):
            session.connection.step(request)
    assert session.state() == before


# Several sessions.


def test_unknown_sessions_are_not_found_by_any_call(service: OpenService, session: Session) -> None:
    connection, message = session.connection, f"Session not found: {NOBODY}"
    with pytest.raises(SessionNotFound, match=message):
        connection.step(pb.StepRequest(session_id=NOBODY))
    with pytest.raises(SessionNotFound, match=message):
        connection.fork(NOBODY)
    with pytest.raises(SessionNotFound, match=message):
        connection.send_session_parameter(pb.SendSessionParameterRequest(session_id=NOBODY))
    with pytest.raises(SessionNotFound, match=message):
        connection.end_session(pb.EndSessionRequest(session_id=NOBODY))
    assert session.state()


def test_an_ended_session_is_gone_and_the_rest_are_counted(service: OpenService) -> None:
    sessions = [service.start() for _ in range(3)]
    for left, session in reversed(list(enumerate(sessions))):
        assert session.end() == (left if service.is_shared else 0)
        with pytest.raises(SessionNotFound, match=f"Session not found: {session.id}"):
            session.step()
        with pytest.raises(SessionNotFound, match=f"Session not found: {session.id}"):
            session.end()
        session.connection.end(session.id)  # this says nothing of it
        assert all(other.state() for other in sessions[:left])


def test_a_copy_is_equal_lives_on_alone_and_can_be_copied(service: OpenService, session: Session) -> None:
    first, *rest = service.compiler.actions
    session.step(first)
    after_first = session.state()
    copy = session.fork()
    assert copy.state() == session.state()
    copy.step(*rest)
    assert session.state() == after_first
    copy_of_copy = copy.fork()
    assert len({(id(one.connection), one.id) for one in (session, copy, copy_of_copy)}) == 3
    session.step(*rest)
    final = session.state()
    session.end()
    assert copy.state() == copy_of_copy.state() == final
    copy.end()
    assert copy_of_copy.state() == final


def test_interleaved_sessions_do_not_meet(service: OpenService) -> None:
    alone = service.start()
    alone.step(*service.compiler.actions)
    untouched, other, stepped = service.start(), service.start(), service.start()
    at_first = untouched.state()
    for action in service.compiler.actions:
        stepped.step(action)
        other.step(service.compiler.actions[0]) if action == service.compiler.actions[0] else other.step()
        assert untouched.state() == at_first
    assert stepped.state() == alone.state()


def test_sessions_in_threads_do_what_they_do_alone(service: OpenService) -> None:
    states: list[list[bytes]] = [[] for _ in range(4)]

    def work(session: Session, seen: list[bytes]) -> None:
        for action in service.compiler.actions:
            session.step(action)
            seen.append(session.state())

    threads = [threading.Thread(target=work, args=(service.start(), seen)) for seen in states]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    alone: list[bytes] = []
    work(service.start(), alone)
    assert states == [alone] * 4


# Parameters.


def test_the_parameters_of_the_cache_are_known_everywhere(service: OpenService, session: Session) -> None:
    assert session.send(f"{CACHE}get_max_size_in_bytes") == "54525952"
    assert int(session.send(f"{CACHE}get_size_in_bytes")) > 0
    with pytest.raises(InvalidInput) as caught:
        session.send(f"{CACHE}set_max_size_in_bytes", "1.5")
    problem = "expected a number of bytes, at most 15 digits, got '1.5'"
    assert str(caught.value) == f"{CACHE}set_max_size_in_bytes: {problem}"
    try:
        assert session.send(f"{CACHE}set_max_size_in_bytes", "0") == "0"
        assert session.send(f"{CACHE}get_max_size_in_bytes") == "0"
        assert session.send(f"{CACHE}get_size_in_bytes") == "0"
    finally:
        assert session.send(f"{CACHE}set_max_size_in_bytes", "54525952") == "54525952"
    assert session.state()


def test_unknown_parameters_are_invalid_and_named(session: Session) -> None:
    for key in ("x", "", f"{CACHE}x", "service.unknown"):
        with pytest.raises(InvalidInput, match=f"Unknown parameter: {key}".rstrip()):
            session.send(key)


ON_EACH_COMPILER = (
    test_versions_are_told,
    test_spaces_have_names_of_their_own_values_and_a_form_in_gymnasium,
    test_default_observations_are_in_their_spaces,
    test_a_program_that_does_not_parse_is_invalid_and_named,
    test_observations_are_of_their_spaces_in_the_order_asked_for,
    test_observations_that_cannot_be_made_say_so_and_harm_nothing,
    test_the_same_actions_give_the_same_bytes_one_by_one_or_all_at_once,
    test_an_action_had_an_effect_if_something_changed,
    test_a_bad_action_is_named_and_nothing_of_its_step_is_applied,
    test_the_first_action_out_of_range_is_the_number_of_actions,
    test_a_copy_is_equal_lives_on_alone_and_can_be_copied,
)
"""What a compiler can break."""
ON_EACH_CARRIER = (
    test_a_session_is_started_with_a_program_and_observed_at_once,
    test_the_same_actions_give_the_same_bytes_one_by_one_or_all_at_once,
    test_an_ended_session_is_gone_and_the_rest_are_counted,
    test_a_copy_is_equal_lives_on_alone_and_can_be_copied,
)
"""What a transport can break."""
OBSERVE_ALL = (
    test_observations_are_of_their_spaces_in_the_order_asked_for,
    test_observations_that_cannot_be_made_say_so_and_harm_nothing,
)
