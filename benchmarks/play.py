"""What games cost a server: a known state, a new one, and fifty players at once.

    python benchmarks/play.py [--states N] [--players N] [--seconds N] [--draws N]

An embedded server of its own, with one worker, is asked over HTTP. *Known* compares the page of a state that
a runner has looked at with a page without data, in turns. *New* asks for states and waits until all actions
are tried, as a player does, beside the same look ahead in this process. *Players* arrive within ten seconds,
walk at random for a while, and look again until a state is known, as often as the page does; the replays of
submissions that arrive meanwhile are compared with those before. ``--draws`` tries programs that may become a
puzzle instead: what a short search finds beyond par.

The slowest page is compared with the median of its players, which says nothing where all pages are slow; so
the median is compared with the page of one player alone. An answer that nothing is new is not a page. Of the
slowest ones the server's log says how long they took in the application, and on a processor; the rest of the
time they waited for a thread, or the client did.
"""

from __future__ import annotations

import argparse
import gc
import html
import json
import math
import os
import random
import re
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Final, NamedTuple

import httpx
from kit import aim, milliseconds, show

from leaderboard.embedded import EmbeddedStack
from leaderboard.embedded.server import Server, listen
from leaderboard.portable.measuring import LEAST_GAIN, try_program
from optarena.client import Client
from optarena.datasets import datasets
from optarena.specs import environment_spec
from optarena.study_states import SequenceTrials

SPEC: Final = environment_spec("llvm-ic-v0")
PROGRAMS: Final = ("quicksort", "sha256", "matrix")
WITHOUT_DATA: Final = "/accounts/login/"
AIM_KNOWN: Final = 3.0  # as long as the page without data
AIM_NEW: Final = 1.3  # as long as the bare look ahead, and this many seconds
AIM_NEW_SECONDS: Final = 0.3
AIM_MEDIAN: Final = 5.0  # as long as the page of one player
AIM_SLOWEST: Final = 5.0  # as long as the median
AIM_REPLAYS: Final = 1.1  # as long as without players
_ARRIVAL_SECONDS: Final = 10.0
_WALKED: Final = 4
_PROMISING: Final = 20  # a player chooses among the first
_MEAN: Final = """
SELECT avg(extract(epoch FROM one.finished_at - one.created_at)) FROM runner_verification AS one
JOIN leaderboard_submissionitem AS item ON item.verification_id = one.id WHERE item.submission_id = ANY(%s)
"""
_TOKEN: Final = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
_PICKED: Final = re.compile(r'name="pick" value="(\d+)"')
_OFFERED: Final = re.compile(r'name="look"')
_WAITS: Final = re.compile(r'hx-headers="([^"]+)"[^>]* hx-trigger="every (\d+)ms"')
_HTMX: Final = {"HX-Request": "true"}
_TIMEOUT: Final = 120.0
_SHOWN: Final = 10


class Answer(NamedTuple):
    milliseconds: float
    what: str
    request: str


@dataclass
class Player:
    """A visitor with a session of HTTP; ``quiet`` are the answers that nothing is new."""

    url: str
    pages: list[Answer] = field(default_factory=list)
    quiet: list[Answer] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.http = httpx.Client(base_url=self.url, timeout=_TIMEOUT, headers={"Referer": self.url})

    def get(self, path: str) -> str:
        return self._answer("page", "GET", path)

    def post(self, path: str, page: str, headers: dict[str, str] | None = None, **pressed: str) -> str:
        token = _TOKEN.search(page)
        fields = {"environment": SPEC.slug, "csrfmiddlewaretoken": token[1] if token else ""} | pressed
        return self._answer("pick" if "pick" in pressed else "question", "POST", path, fields, headers)

    def pick(self, number: str, page: str) -> str:
        """The page after one more action, as htmx asks for it."""
        state = httpx.URL(self.path)
        actions = state.params.get("actions", "")
        return self.post(state.path, page, _HTMX, actions=actions, pick=number)

    def _answer(
        self,
        what: str,
        method: str,
        path: str,
        data: dict[str, str] | None = None,
        headers: dict[str, str] | None = None,
    ) -> str:
        found: list[httpx.Response] = []
        taken = milliseconds(
            lambda: found.append(self.http.request(method, path, data=data, headers=headers))
        )
        [answer] = found
        is_quiet = answer.status_code == HTTPStatus.NO_CONTENT
        one = Answer(taken, f"{what}, {len(answer.content) / 1000:.0f} kB", answer.headers["X-Request-ID"])
        (self.quiet if is_quiet else self.pages).append(one)
        if is_quiet:
            return ""
        if answer.is_redirect:
            return self.get(answer.headers["Location"])
        if answer.status_code != HTTPStatus.OK:
            raise SystemExit(f"{path}: {answer.status_code} {answer.text[:500]!r}")
        self.path = answer.headers.get("HX-Push-Url") or str(answer.request.url.raw_path, "ascii")
        return answer.text

    def look(self, path: str, actions: Sequence[int]) -> str:
        """The page of a state once all its actions are tried."""
        page = self.wait(self.get(path))  # others may have asked for its beginning
        if not actions and not _OFFERED.search(page):
            return page
        return self.wait(self.post(path, page, actions=",".join(map(str, actions)), look="1"))

    def wait(self, page: str, until: float = math.inf) -> str:
        while (again := _WAITS.search(page)) and time.monotonic() < until:
            time.sleep(int(again[2]) / 1000)
            headers = _HTMX | json.loads(html.unescape(again[1]))
            page = self._answer("again", "GET", self.path, headers=headers) or page
        return page


@contextmanager
def server() -> Iterator[tuple[EmbeddedStack, Server]]:
    folder = Path(tempfile.mkdtemp(prefix="optarena-benchmark-"))
    folder.chmod(0o711)
    try:
        with EmbeddedStack(folder / "state", durable=False) as stack:
            made = Server(stack, listener=listen(8200), replays=1)
            made.environment |= {
                "OPTARENA_PUZZLES": "0",
                "OPTARENA_THROTTLE_VISITOR_PLAY": "1000000/hour",
                "OPTARENA_CALIBRATION_SECONDS": "0",
                "OPTARENA_LOG_FORMAT": "json",
            }
            try:
                made.start()
                yield stack, made
            finally:
                made.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def random_actions(chance: random.Random, number: int = _WALKED) -> list[int]:
    return [chance.randrange(len(SPEC.action_table.names)) for _ in range(number)]


def address(program: str) -> str:
    return f"/play/kernels-v0/{program}/"


def known(url: str, chance: random.Random) -> float:
    """The median milliseconds of the page of a known state, with one player."""
    player = Player(url)
    actions = random_actions(chance)
    while not _PICKED.search(player.look(address("sha256"), actions)):
        time.sleep(1)  # the worker tests itself before it takes work
    state = player.path
    times: dict[str, list[float]] = {WITHOUT_DATA: [], state: []}
    for turn in range(120):
        for path, taken in times.items():
            player.get(path)
            if turn >= 20:  # noqa: PLR2004 # the first ones warm up
                taken.append(player.pages[-1].milliseconds)
    bare, page = (statistics.median(taken) for taken in times.values())
    show("page without data", bare, WITHOUT_DATA)
    show("page of a known state", page, f"{page / bare:.2f} x; {aim(page / bare, AIM_KNOWN)}")
    return page


def new(url: str, chance: random.Random, states: int) -> None:
    player, ratios = Player(url), []
    for number in range(states):
        program, actions = PROGRAMS[number % len(PROGRAMS)], random_actions(chance)
        asked = milliseconds(lambda p=program, a=actions: player.look(address(p), a))  # type: ignore[misc] # of this turn
        bare = milliseconds(lambda p=program, a=actions: bare_look(p, a))  # type: ignore[misc] # as above
        ratios.append((asked - 1000 * AIM_NEW_SECONDS) / bare)
        show(f"{program} after {len(actions)} actions", asked, f"bare {bare:.0f} ms")
    ratio = statistics.median(ratios)
    print(f"  without {AIM_NEW_SECONDS} s, the median is {ratio:.2f} x the bare one; {aim(ratio, AIM_NEW)}")


def bare_look(program: str, actions: Sequence[int]) -> None:
    benchmark = datasets().benchmark(f"benchmark://kernels-v0/{program}")
    with SequenceTrials.within(SPEC, benchmark) as trials:
        for _ in trials.look_ahead(actions):
            pass


def play(player: Player, chance: random.Random, until: float) -> None:
    time.sleep(chance.uniform(0, _ARRIVAL_SECONDS))
    while time.monotonic() < until:
        page = player.look(address(chance.choice(PROGRAMS)), ())
        for _ in range(10):
            offered = _PICKED.findall(page)
            if not offered or time.monotonic() > until:
                break
            time.sleep(chance.uniform(0.5, 2.0))  # somebody reads
            page = player.wait(player.pick(chance.choice(offered[:_PROMISING]), page), until)


def replays(stack: EmbeddedStack, client: Client, chance: random.Random, seconds: float) -> float:
    """The mean milliseconds of a replay in line and at work; one submission follows the other."""
    until = time.monotonic() + seconds
    ids: list[str] = []
    while time.monotonic() < until:
        items = [
            {"benchmark": f"benchmark://kernels-v0/{one}", "actions": random_actions(chance, 20)}
            for one in PROGRAMS
        ]
        document = {"board": "llvm-ic", "agent": "measured", "items": items}
        made = client.submit(document, key=f"measured-{len(ids)}-{until}")
        client.wait(made["id"])
        ids.append(made["id"])
    with stack.postgres.connect() as connection:
        row = connection.execute(_MEAN, [ids]).fetchone()
    return 1000 * float(row[0]) if row else 0.0


def players(  # noqa: PLR0913 # all of one measurement
    stack: EmbeddedStack, url: str, number: int, seconds: float, chance: random.Random, *, alone_ms: float
) -> None:
    with Client(url) as visitor:
        token = visitor.signup("measured", "correct horse battery")["token"]
    playing = [Player(url) for _ in range(number)]
    with Client(url, token) as client:
        alone = replays(stack, client, chance, seconds)
        gc.collect()
        gc.disable()  # a full collection of this process would stop all players at once, for some 40 ms
        until = time.monotonic() + seconds
        busy = time.process_time()
        with ThreadPoolExecutor(number) as pool:
            games = [
                pool.submit(play, one, random.Random(place), until)  # noqa: S311 # no secrets
                for place, one in enumerate(playing)
            ]
            beside = replays(stack, client, chance, seconds)
        for game in games:
            game.result()  # a player who left early would be missing
        gc.enable()
    busy = (time.process_time() - busy) / seconds
    answers = sorted(page for one in playing for page in one.pages)
    pages, quiet = [one.milliseconds for one in answers], [page for one in playing for page in one.quiet]
    median, slowest = statistics.median(pages), pages[-1]
    times = f"{median / alone_ms:.1f} x the page of one player; {aim(median / alone_ms, AIM_MEDIAN)}"
    show(f"median of {len(pages)} pages", median, times)
    show("99th percentile", pages[int(len(pages) * 0.99)])
    show("slowest", slowest, f"{slowest / median:.1f} x; {aim(slowest / median, AIM_SLOWEST)}")
    show(
        f"median of {len(quiet)} answers that nothing is new",
        statistics.median(one.milliseconds for one in quiet),
    )
    show_slowest(stack, answers[-_SHOWN:])
    print(f"  the players themselves took {busy:.0%} of a processor")
    show("a replay without players", alone)
    show("a replay beside players", beside, f"{beside / alone:.2f} x; {aim(beside / alone, AIM_REPLAYS)}")


def show_slowest(stack: EmbeddedStack, answers: Sequence[Answer]) -> None:
    log = (stack.folder.logs / "web.log").read_text(encoding="utf-8")
    lines = [json.loads(line) for line in log.splitlines() if '"request_id"' in line]
    logged = {line["request_id"]: line for line in lines if "milliseconds" in line}
    for one in reversed(answers):
        line = logged[one.request]
        times = f"in the application {line['milliseconds']} ms, on a processor {line['cpu_milliseconds']} ms"
        show(f"  {one.what}", one.milliseconds, times)


def draws(number: int, chance: random.Random) -> None:
    gains = []
    for _ in range(number):
        seed = chance.randrange(2**32)
        found = try_program(
            environment=SPEC.slug, metric="ir_instructions", uri=f"generator://synthetic-v0/{seed}"
        )
        if found is None:
            print(f"  seed {seed} is too large")
            continue
        gains.append(found.levels["Oz"] / found.best)
        counts = (
            f"{found.levels['O0']:.0f} instructions, -Oz {found.levels['Oz']:.0f}, found {found.best:.0f}"
        )
        show(f"seed {seed}, {len(found.program):,} bytes", gains[-1], counts, unit="x")
    if not gains:
        print("  none is small enough: try more")
        return
    share = sum(gain >= LEAST_GAIN for gain in gains) / len(gains)
    small = f"of {len(gains)} that are small enough, "
    print(f"  {small}the median is {statistics.median(gains):.3f} x, and {share:.0%} reach {LEAST_GAIN} x")


def main() -> None:
    parser = argparse.ArgumentParser(description="What games cost a server.")
    parser.add_argument("--states", type=int, default=9, help="new states that are asked for")
    parser.add_argument("--players", type=int, default=50, help="players at once")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long they play")
    parser.add_argument("--draws", type=int, default=0, help="programs to try for puzzles, and nothing else")
    options = parser.parse_args()
    chance = random.Random(0)  # noqa: S311 # the same walks each time
    print(f"play, {os.cpu_count()} processors")
    print(f"load of the machine at the start: {os.getloadavg()[0]:.1f}")
    if options.draws:
        draws(options.draws, chance)
        return
    with server() as (stack, made):
        alone_ms = known(made.url, chance)
        new(made.url, chance, options.states)
        print(f"{options.players} players for {options.seconds:.0f} s, one worker")
        players(stack, made.url, options.players, options.seconds, chance, alone_ms=alone_ms)


if __name__ == "__main__":
    main()
