"""The answers to a look ahead: what each action would give, in one payload between a session and its client.

An answer is the reply to a plain step, or an envelope: a status with a message, as from a call of its own;
then its call id is the unit of work that failed, 1 for the action and more for an observation. If the
child process that tried the action ended without one, it is how that process ended. There are fewer answers
than actions if they are long: then the client asks again for the rest.
"""

from __future__ import annotations

import json
import struct
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

from optarena.documents.texts import whole
from optarena.service.processes.exit_status import ExitStatus
from optarena.service.proto.envelope_pb2 import Envelope
from optarena.service.protocol.status import RpcError, StatusCode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

METHOD: Final = "LookAhead"
"""The name of the call, which exists between a session's process and its client alone."""
FORK_AHEAD: Final = "ForkAhead"
"""A call like ``ForkSession``, for a copy that waits until it is needed and uses the time to warm up."""
STEPS: Final = "Steps"
"""Another such call: a step for each action of its request, and a reply for each."""
SLACK_SECONDS: Final = 10.0
"""What the time for the call has beyond that for each of its actions."""
ENDED: Final = "ended"
"""The method of an envelope that says how a child process ended."""
TRIED: Final = 0
"""The number of the call that an answer's plain reply names."""
_LENGTH: Final = struct.Struct("<I")


class Malformed(Exception):
    """The bytes are not answers."""


@dataclass(frozen=True, slots=True)
class TrialEnd:
    """The end of a child process that gave no answer.

    Attributes:
        status: How it ended.
        unit: The unit of work that it began last: 1 for the action, more for an observation, 0 for none.
        output: The end of what it wrote to its standard output and error.
        seconds: The wall time after which its parent ended it; None if it did not.
    """

    status: ExitStatus
    unit: int
    output: str
    seconds: float | None = None

    def packed(self) -> bytes:
        """As an answer."""
        told = {**asdict(self.status), "unit": self.unit, "output": self.output, "seconds": self.seconds}
        return Envelope(method=ENDED, payload=json.dumps(told).encode()).SerializeToString()

    @classmethod
    def unpacked(cls, answer: Envelope) -> TrialEnd:
        """From an answer.

        Raises:
            Malformed: It says something else.
        """
        try:
            told = json.loads(answer.payload)
            code, signal, cpu, unit = (told[key] for key in ("code", "signal", "cpu_seconds", "unit"))
            status = ExitStatus(_number(code), _number(signal), None if cpu is None else float(cpu))
            seconds = None if told["seconds"] is None else float(told["seconds"])
            return cls(status, _number(unit) or 0, str(told["output"]), seconds)
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            raise Malformed(f"the end of a process is {answer.payload[:100]!r}") from error


def refused(call_id: int, error: RpcError) -> Envelope:
    """The reply to a call that failed, or the answer of an action that did."""
    reply = Envelope(call_id=call_id, status=error.code or StatusCode.INTERNAL)
    reply.message = whole(error.message)
    reply.error = error.name
    return reply


def in_order(answers: Mapping[int, bytes]) -> list[bytes]:
    """Answers in the order of their actions, as far as there is one for each."""
    found: list[bytes] = []
    while len(found) in answers:
        found.append(answers[len(found)])
    return found


def pack(answers: Sequence[bytes]) -> bytes:
    """Several answers as one payload, after their number."""
    number = _LENGTH.pack(len(answers))
    return number + b"".join(_LENGTH.pack(len(answer)) + answer for answer in answers)


def unpack(payload: bytes, most: int) -> list[bytes]:
    """The answers of a payload.

    Args:
        payload: What ``pack`` gives.
        most: How many there may be; there must be at least one, unless this is 0.

    Raises:
        Malformed: The payload is something else.
    """
    found: list[bytes] = []
    number, place = int.from_bytes(payload[: _LENGTH.size], "little"), _LENGTH.size
    while place + _LENGTH.size <= len(payload):
        (length,) = _LENGTH.unpack_from(payload, place)
        place += _LENGTH.size
        found.append(payload[place : place + length])
        place += length
    if not min(1, most) <= number <= most or len(found) != number or place != len(payload):
        raise Malformed(f"{len(payload)} bytes are not between 1 and {most} answers")
    return found


def _number(value: object) -> int | None:
    if value is not None and type(value) is not int:
        raise TypeError
    return value
