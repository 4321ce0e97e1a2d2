"""How long a client may take, and how much of the server it may hold."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class ConnectionLimits:
    """The limits of the connections.

    Attributes:
        head_seconds: Time for all of a request's head, from its first byte; for the first byte as well.
        body_seconds: Time for a body, besides what its length adds.
        body_rate: Bytes of a body for each further second; who is slower, also in reading, is late.
        idle_seconds: Time between two requests of a connection.
        stall_seconds: An answer must make progress within this time ...
        answer_rate: ... of so many bytes per second.
        queue_seconds: Time that a request waits for a thread.
        drain_seconds: Time in which the rest of a refused body is read and forgotten.
        stop_seconds: Time for what still runs when the server is stopped.
        connections: Connections at the same time.
        per_network: Connections of one network; None behind a proxy, whose clients share its address.
        waiting_threads: Threads that wait until a client reads more of a streamed answer; each is replaced.
        head_bytes: Size of a request's head.
        body_bytes: Size of a body that is read at all.
        small_bytes: Size of a body that is always received; larger ones are counted in such pieces.
        buffered_bytes: Size of all bodies, and of all answers, that are in memory at the same time.
    """

    head_seconds: float = 10.0
    body_seconds: float = 10.0
    body_rate: int = 100_000
    idle_seconds: float = 20.0
    stall_seconds: float = 20.0
    answer_rate: int = 1_000
    queue_seconds: float = 20.0
    drain_seconds: float = 2.0
    stop_seconds: float = 4.0
    connections: int = 512
    per_network: int | None = 64
    waiting_threads: int = 8
    head_bytes: int = 32 * 1024
    body_bytes: int = 6_000_000
    small_bytes: int = 64 * 1024
    buffered_bytes: int = 128 * 1024**2

    def body_time(self, length: int) -> float:
        """Seconds for a body of a length."""
        return self.body_seconds + length / self.body_rate
