"""One client of ``soak.py``: many threads that use sessions of one service at random, over one channel.

    python benchmarks/soak_client.py ENDPOINT SESSIONS THREADS SEED

Prints the number of sessions started so far, now and then, and at the end the counts of events as JSON.
"""

from __future__ import annotations

import json
import random
import sys
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from soak_session import ADD, CRASH, EXIT, HOLD, REFUSE, WRITE

from optarena.errors import InvalidInput, ServiceClosed, SessionCrashed, SessionNotFound
from optarena.service.client.grpc_connection import GrpcConnection
from optarena.service.proto import compiler_gym_service_pb2 as pb

BENCHMARKS = 20
FORKS, CRASHES, ABANDONED = 0.15, 0.05, 0.02
MOST_STEPS = 12


class Client:
    """A connection, and the events that its threads have counted."""

    def __init__(self, endpoint: str, sessions: int, seed: int) -> None:
        self.connection = GrpcConnection.open(endpoint)
        self.sessions = sessions
        self.seed = seed
        self.lock = threading.Lock()
        self.met: Counter[str] = Counter()
        self.problems: list[str] = []

    def count(self, what: str) -> None:
        """Count an event."""
        with self.lock:
            self.met[what] += 1
            begun = self.met["started"] + self.met["forked"]
        if what in ("started", "forked") and begun % 20 == 0:
            print(begun, flush=True)

    def work(self, number: int) -> None:
        """Start sessions until there were enough; a wrong answer is recorded and ends this thread."""
        chance = random.Random(self.seed * 1000 + number)  # noqa: S311 - to be repeatable
        try:
            while self.met["started"] + self.met["forked"] < self.sessions:
                self.use(chance)
        except Exception as error:  # noqa: BLE001 - with any error, the soak has failed
            with self.lock:
                self.problems.append(f"{type(error).__name__}: {error}")

    def use(self, chance: random.Random) -> None:
        """One session, from its start to its end."""
        number = chance.randrange(BENCHMARKS)
        benchmark = pb.Benchmark(uri=f"benchmark://soak-v0/{number}")
        if chance.random() < 1 / BENCHMARKS:
            benchmark.program.contents = bytes(number + 1)
        session = self.connection.start_session(pb.StartSessionRequest(benchmark=benchmark)).session_id
        self.count("started")
        self.live(session, number + 1, chance)

    def live(self, session: int, expected: int, chance: random.Random) -> None:
        """Steps with known answers, independent copies, and one of several ends."""
        for _ in range(chance.randrange(MOST_STEPS)):
            deeds = chance.choices((ADD, WRITE, HOLD), weights=(8, 1, 1), k=chance.randrange(1, 4))
            expected += len(deeds)
            self.check(session, deeds, expected)
            if chance.random() < FORKS / MOST_STEPS * 2:
                _, copy = self.connection.fork(session)
                self.count("forked")
                self.live(copy, expected, chance)
            if chance.random() < CRASHES:
                self.refuse(session)
        if chance.random() < CRASHES:
            self.crash(session, chance.choice((CRASH, EXIT)))
        elif chance.random() < ABANDONED:
            self.count("abandoned")
        else:
            self.connection.end(session)
            self.count("ended")

    def check(self, session: int, deeds: list[int], expected: int) -> None:
        """A step, and whether its observations are right."""
        actions = [pb.Event(int64_value=deed) for deed in deeds]
        reply = self.connection.step(
            pb.StepRequest(session_id=session, action=actions, observation_space=[0, 1])
        )
        total, text = reply.observation
        if total.int64_value != expected or len(text.string_value) != expected:
            raise AssertionError(f"session {session} answers {total.int64_value}, not {expected}")

    def refuse(self, session: int) -> None:
        """An invalid step, which must be refused and change nothing."""
        request = pb.StepRequest(session_id=session, action=[pb.Event(int64_value=REFUSE)])
        try:
            self.connection.step(request)
        except InvalidInput:
            self.count("refused")
        else:
            raise AssertionError("an invalid step was applied")

    def crash(self, session: int, deed: int) -> None:
        """A crash of a session's process, which must be reported and end the session."""
        request = pb.StepRequest(session_id=session, action=[pb.Event(int64_value=deed)])
        try:
            self.connection.step(request)
        except SessionCrashed:
            self.count("crashed")
        else:
            raise AssertionError("a session survived its crash")
        try:
            self.connection.step(pb.StepRequest(session_id=session))
        except (ServiceClosed, SessionNotFound):
            self.connection.end(session)
        else:
            raise AssertionError("a crashed session answers")


def main() -> None:
    """Use the service."""
    endpoint, sessions, threads, seed = sys.argv[1], *map(int, sys.argv[2:5])
    client = Client(endpoint, sessions, seed)
    benchmarks = [
        pb.Benchmark(uri=f"benchmark://soak-v0/{number}", program=pb.File(contents=bytes(number + 1)))
        for number in range(BENCHMARKS)
    ]
    client.connection.add_benchmark(pb.AddBenchmarkRequest(benchmark=benchmarks))
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(client.work, range(threads)))
    client.connection.close()
    print(json.dumps({"met": client.met, "problems": client.problems}), flush=True)


if __name__ == "__main__":
    main()
