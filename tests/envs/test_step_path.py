"""A step stays on one page: how many functions and files a reader of ``env.step()`` has to open."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import gymnasium

import optarena

if TYPE_CHECKING:
    from types import FrameType

PACKAGE = Path(optarena.__file__).parent
MOST_FILES = 6
MOST_CALLS = 45


def test_a_step_makes_few_calls_in_few_files() -> None:
    calls: list[tuple[str, str]] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and Path(code.co_filename).is_relative_to(PACKAGE):
            calls.append((str(Path(code.co_filename).relative_to(PACKAGE)), code.co_qualname))

    made: Any = gymnasium.make("optarena/llvm-ic-v0", observation_space="Autophase")
    with made:
        env = made.unwrapped
        env.reset()
        for action in (3, 5, 7):  # what is asked for the first time takes more calls
            env.step(action)
        before = sys.getprofile()
        sys.setprofile(note)
        try:
            env.step(11)
        finally:
            sys.setprofile(before)
    assert len({file for file, _ in calls}) <= MOST_FILES, calls
    assert len(calls) <= MOST_CALLS, calls
