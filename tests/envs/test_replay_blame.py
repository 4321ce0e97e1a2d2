"""Sessions whose memory a pass has corrupted: what they say about their own end clears no sequence."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import pytest

from optarena.datasets import datasets
from optarena.errors import InfrastructureFault
from optarena.replay import replay
from optarena.service.client import endings
from optarena.service.client.connection import ManagedConnection
from optarena.service.proto import compiler_gym_service_pb2 as pb

if TYPE_CHECKING:
    from optarena.datasets import Benchmark

LIES = (
    "close-the-channel", "half-an-answer", "nonsense", "answer-to-another-call", "answer-of-another-kind",
    "no-answer-is-possible", "no-such-session", "no-such-file",
    "no-permission", "wrong-type", "InfrastructureFault", "SessionKilled", "TransportError",
    "ServiceClosed", "SessionNotFound", "TooManySessions", "SandboxUnavailable", "InvalidInput",
    "UnknownName",
)  # fmt: skip


@pytest.fixture
def lying(sorting: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The lying compiler; nobody waits long for it."""
    monkeypatch.setattr(endings, "_END_SECONDS", 0.5)
    return importlib.import_module("lying")


@pytest.fixture
def numbers(sorting: Any) -> Benchmark:
    """Five numbers to sort."""
    return datasets()["sorting-v0"].benchmark("five")


def request(lying: Any, session: int, lie: str) -> pb.StepRequest:
    action = pb.Event(int64_value=lying.NAMES.index(lie))
    return pb.StepRequest(session_id=session, action=[action])


@pytest.mark.parametrize("lie", LIES)
def test_no_answer_of_a_session_clears_its_sequence(lie: str, lying: Any, numbers: Benchmark) -> None:
    result = replay(environment=lying.ENVIRONMENT, benchmark=numbers, actions=[lying.NAMES.index(lie)])
    assert result.reason is not None, result
    assert result.reason.startswith("env:")
    assert result.failed_step == 0
    assert "cpu_seconds" in result.failed_unit


@pytest.mark.parametrize("refusal", ["refused", "unimplemented", "DeviceUnavailable"])
def test_a_session_that_refuses_an_action_refuses_the_sequence(
    refusal: str, lying: Any, numbers: Benchmark
) -> None:
    """It was started on this machine, so that the machine lacks nothing."""
    result = replay(environment=lying.ENVIRONMENT, benchmark=numbers, actions=[lying.NAMES.index(refusal)])
    reason = "user:invalid-action" if refusal == "refused" else "env:service"
    assert (result.reason, result.failed_step) == (reason, 0)
    assert f"step 0 ({refusal})" in result.detail


def test_a_session_that_is_not_confined_may_name_what_it_likes(lying: Any) -> None:
    """Only people run those, perhaps in front of a service of their own."""
    program = pb.Benchmark(uri="benchmark://sorting-v0/x", program=pb.File(contents=b"2 1"))
    with ManagedConnection.open("lying:LyingSession") as connection:
        session = connection.start_session(pb.StartSessionRequest(benchmark=program)).session_id
        with pytest.raises(InfrastructureFault, match="It was not me"):
            connection.step(request(lying, session, "InfrastructureFault"))


def test_a_value_that_a_session_may_not_give_is_its_own_failure(lying: Any, numbers: Benchmark) -> None:
    result = replay(environment=lying.NEGATIVE, benchmark=numbers, actions=[])
    assert (result.ok, result.reason) == (False, "env:service")
    assert "value of inversions is not in the space" in result.detail
