"""The pinned GCC for tests, which ``./run test`` finds or installs."""

from __future__ import annotations

import os
from functools import cache

import pytest

from optarena.errors import ToolMissing
from optarena.gcc.options import CHOICES
from optarena.gcc.toolchain import GccToolchain, find
from optarena.service.proto import compiler_gym_service_pb2 as pb
from tests.kit.tools import in_ci


@cache
def _found() -> GccToolchain | ToolMissing:
    try:
        return find()
    except ToolMissing as error:
        return error


def pinned_gcc() -> GccToolchain:
    """The toolchain; the test is skipped where it is missing, or fails where ``CI`` is set."""
    found = _found()
    if isinstance(found, ToolMissing):
        (pytest.fail if in_ci() else pytest.skip)(str(found))
    return found


needs_gcc = pytest.mark.skipif(
    isinstance(_found(), ToolMissing) and not in_ci() and not os.environ.get("CI"),
    reason="the pinned GCC is not installed: `optarena gcc install`",
)


def choice_event(word: str) -> pb.Event:
    """The event of the action that puts a word on the command line."""
    option, choice = CHOICES.options.by_word[word]
    return pb.Event(int64_tensor=pb.Int64Tensor(shape=[2], value=[option, choice + 1]))
