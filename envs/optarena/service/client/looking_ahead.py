"""The client's side of a look ahead: asks a session's process to try actions, and reads its answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from google.protobuf.message import DecodeError

from optarena.errors import ServiceError, SessionCrashed, SessionTimeout
from optarena.limits import ACTION_WALL_SECONDS
from optarena.service.client.endings import refusal
from optarena.service.processes.exit_status import ending_error
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.service.proto.envelope_pb2 import Envelope
from optarena.service.protocol import answers
from optarena.service.protocol.plain import MalformedFrame, PlainOutcome, is_plain

if TYPE_CHECKING:
    from optarena.isolation.limits import ProcessLimits
    from optarena.service.client.zygote import Worker

_AT_ONCE: Final = 64
"""How many actions one call tries at most."""


class BrokenAnswers(Exception):
    """What the session's process sent is not the answers to a look ahead."""


class CallMaker(Protocol):
    """A way to make a call of a connection."""

    def __call__(
        self, method: str, request: pb.StepRequest, kind: type[Envelope], timeout: float | None
    ) -> Envelope:
        """The reply."""


def look_ahead(
    worker: Worker, limits: ProcessLimits, request: pb.StepRequest, timeout: float | None, call: CallMaker
) -> list[PlainOutcome | ServiceError]:
    """What each action of a request would give: a reply, or the error in which it would end.

    Args:
        worker: The session's process.
        limits: Its limits, which hold for each action.
        request: The actions and what to observe after each.
        timeout: For each action, in seconds.
        call: Makes a call to the process.

    Raises:
        BrokenAnswers: The process has sent something else.
        InvalidInput: An action or an observation does not exist.
        ServiceError: The process has ended.
    """
    tried: list[PlainOutcome | ServiceError] = []
    while (first := len(tried)) < len(request.action):
        part = pb.StepRequest(
            session_id=request.session_id,
            action=request.action[first : first + _AT_ONCE],
            observation_space=request.observation_space,
        )
        seconds = (timeout or ACTION_WALL_SECONDS) * len(part.action) + answers.SLACK_SECONDS
        reply = call(answers.METHOD, part, Envelope, seconds)
        try:
            told = answers.unpack(reply.payload, len(part.action))
            tried += [_understood(worker, limits, answer) for answer in told]
        except answers.Malformed as error:
            raise BrokenAnswers(str(error)) from error
    return tried


def _understood(worker: Worker, limits: ProcessLimits, said: bytes) -> PlainOutcome | ServiceError:
    """An answer, which the action may have garbled, since it came from the process that it ran in."""
    try:
        if is_plain(said):
            return PlainOutcome.unpacked(said, answers.TRIED)
        answer = Envelope.FromString(said)
        if answer.method == answers.ENDED:
            return _ending(limits, answers.TrialEnd.unpacked(answer))
    except (DecodeError, MalformedFrame, answers.Malformed) as error:
        return _garbled(error)
    if not answer.status:
        return _garbled("a message without a status")
    failure = refusal(worker, answer, started=True)
    if not isinstance(failure, ServiceError):
        raise failure
    failure.unit = answer.call_id
    return failure


def _garbled(why: object) -> SessionCrashed:
    return SessionCrashed(f"The process that tried the action gave an answer that cannot be read: {why}")


def _ending(limits: ProcessLimits, ended: answers.TrialEnd) -> ServiceError:
    if ended.seconds is not None:
        error: ServiceError = SessionTimeout(f"no answer within {ended.seconds:g} s")
    else:
        error = ending_error(ended.status, ended.output, limits)
    error.unit, error.cpu_seconds = ended.unit, ended.status.cpu_seconds
    return error
