"""Tests of the target machines that modules leave to each other."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from optarena.errors import InvalidInput
from optarena.llvm import module as module_module
from optarena.llvm.module import Module, TargetMachine

OTHER = "x86_64-pc-linux-gnu"


@pytest.fixture(autouse=True)
def _none_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module_module, "_idle", {})


def waiting() -> int:
    return sum(map(len, module_module._idle.values()))


def test_a_closed_module_leaves_its_machine_to_the_next(mixed: bytes) -> None:
    with Module.parse(mixed) as first:
        first.run("mem2reg")
        used = first.machine
    with Module.parse(mixed) as second, Module.parse(mixed) as third:
        assert second.machine == used
        assert third.machine != used
    assert waiting() == 2


def test_a_module_gives_the_same_with_a_machine_that_served_others(mixed: bytes) -> None:
    def optimised() -> tuple[bytes, bytes]:
        with Module.parse(mixed) as module:
            module.run("default<O3>")
            return module.bitcode(), module.object_code()

    fresh = optimised()
    assert waiting()
    assert optimised() == fresh


def test_machines_are_for_one_triple(mixed: bytes) -> None:
    with Module.parse(mixed) as module:
        text = module.text()
        assert module.machine
    triple = TargetMachine.take(OTHER)
    assert triple.triple == OTHER
    with Module.parse(text.encode()) as module:
        assert module.machine != triple.handle
    triple.leave()


def test_few_machines_wait() -> None:
    for number in range(8):
        for one in [TargetMachine.take(f"x86_64-v{number}-linux-gnu") for _ in range(4)]:
            one.leave()
    assert waiting() == 8
    assert len(module_module._idle) == 4


def test_a_machine_is_not_used_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module_module, "_MAX_MODULES", 3)
    served = []
    for _ in range(3):
        one = TargetMachine.take(OTHER)
        served.append(one.modules)
        one.leave()
    assert served == [0, 1, 2]
    assert not waiting()


def test_threads_do_not_share_a_machine(mixed: bytes) -> None:
    def digest(_: int) -> str:
        with Module.parse(mixed) as module:
            module.run("default<O2>")
            return module.digest()

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(digest, range(40)))) == 1
    assert waiting() <= 2


def test_an_unknown_triple_is_refused() -> None:
    with pytest.raises(InvalidInput, match="nowhere"):
        TargetMachine.take("nowhere-linux")
    assert not waiting()
