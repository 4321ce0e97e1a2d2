"""Sessions whose memory a pass has corrupted: what they say about their own end clears no sequence."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

from optarena.datasets import Benchmark, datasets
from optarena.errors import InfrastructureFault
from optarena.replay import replay
from optarena.service import timeouts
from optarena.service.client.connection import ManagedConnection
from optarena.service.proto import compiler_gym_service_pb2 as pb

NAMED = (
    "InfrastructureFault", "SessionKilled", "TransportError", "ServiceClosed", "SessionNotFound",
    "TooManySessions", "SandboxUnavailable", "InvalidInput", "UnknownName",
)  # fmt: skip
LIES = {
    "close-the-channel": ("env:crash", "has closed its channel or sent no frame"),
    "half-an-answer": ("env:crash", "has closed its channel or sent no frame"),
    "nonsense": ("env:crash", "the answer cannot be read as a message Envelope"),
    "answer-to-another-call": ("env:crash", "the answer is to call 999, not "),
    "answer-of-another-kind": ("env:crash", "the answer is a message"),
    "plain-answer-to-another-call": ("env:crash", "a plain reply of version 1 to call 999"),
    "plain-answer-of-another-version": ("env:crash", "a plain reply of version 2 to call "),
    "plain-answer-that-is-cut": ("env:crash", "a value of kind 1 and 8 bytes"),
    "plain-answer-and-more": ("env:crash", "a plain reply of 29 bytes with 28 bytes of values"),
    "flags-that-do-not-exist": ("env:crash", "with flags 8"),
    "action-space-that-is-none": ("env:crash", "a plain reply with ActionSpace, of 1 bytes: Error parsing"),
    "more-values-than-there-are": ("env:crash", "a plain reply of 28 bytes: unpack_from requires"),
    "value-that-is-too-long": ("env:crash", "a value of kind 1 and 4294967295 bytes"),
    "no-answer-is-possible": ("env:crash", "replied with TransportError"),
    "no-such-session": ("env:crash", "replied with SessionNotFound: Session not found: 1"),
    "no-such-file": ("env:service", "replied with FileNotFoundError: /etc/optarena"),
    "no-permission": ("env:service", "replied with PermissionError: /etc/optarena"),
    "wrong-type": ("env:service", "replied with TypeError: a list"),
    **dict.fromkeys(NAMED, ("env:service", "It was not me.")),
}
"""What each lie is taken for: the reason of the replay, and what its detail says."""


@pytest.fixture
def lying(sorting: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The lying compiler; nobody waits long for it."""
    monkeypatch.setattr(timeouts, "LAST_WORDS_SECONDS", 0.5)
    return importlib.import_module("lying")


@pytest.fixture
def numbers(sorting: Any) -> Benchmark:
    return datasets()["sorting-v0"].benchmark("five")


def request(lying: Any, session: int, lie: str) -> pb.StepRequest:
    action = pb.Event(int64_value=lying.NAMES.index(lie))
    return pb.StepRequest(session_id=session, action=[action])


@pytest.mark.parametrize("lie", LIES)
def test_no_answer_of_a_session_clears_its_sequence(lie: str, lying: Any, numbers: Benchmark) -> None:
    result = replay(environment=lying.ENVIRONMENT, benchmark=numbers, actions=[lying.NAMES.index(lie)])
    reason, detail = LIES[lie]
    assert (result.ok, result.reason, result.failed_step) == (False, reason, 0)
    assert f"step 0 ({lie})" in result.detail
    assert detail in result.detail
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


def test_more_observations_than_were_asked_for_are_the_sessions_failure(
    lying: Any, numbers: Benchmark
) -> None:
    lie = "values-that-nobody-asked-for"
    result = replay(environment=lying.ENVIRONMENT, benchmark=numbers, actions=[lying.NAMES.index(lie)])
    assert (result.ok, result.reason, result.failed_step) == (False, "env:service", 0)
    assert "The service returned 1 of 0 observations" in result.detail


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
