"""Tests of the counts of instructions, and of the vectors that are made of them."""

from __future__ import annotations

import re
from collections import Counter

import numpy as np
import pytest

from optarena.llvm import features
from optarena.llvm.derived import VECTORS
from optarena.llvm.feature_names import AUTOPHASE_NAMES, INSTCOUNT_NAMES, OPCODES
from optarena.llvm.module import Module
from optarena.service.converters import event_to_member, space_to_gymnasium
from tests.kit.llvm import programs
from tests.kit.llvm.observing import member, space_of, view

INSTRUCTION = re.compile(r'  (?:%(?:"[^"]*"|\S+) = )?(?:tail |musttail |notail )?([a-z_]+)')
UNUSUAL = {"AtomicCmpXchg": "cmpxchg", "VAArg": "va_arg"}
DERIVED = {observation.name: observation for observation in VECTORS}


def reference(module: Module) -> Counter[str]:
    names = {UNUSUAL.get(name, name.lower()): f"{name}Count" for name in OPCODES}
    counts: Counter[str] = Counter()
    for body in re.findall(r"^define .*?^}$", module.text(), re.MULTILINE | re.DOTALL):
        found = [names[match[1]] for match in map(INSTRUCTION.match, body.split("\n")) if match]
        counts.update(found)
        counts["TotalInstsCount"] += len(found)
        counts["TotalFuncsCount"] += 1
        labels = [re.match(r"\S+:", line) for line in body.split("\n")[1:]]
        counts["TotalBlocksCount"] += sum(label is not None for label in labels) + (labels[0] is None)
    return counts


def test_the_names_are_71_and_unique_and_have_every_opcode() -> None:
    assert len(INSTCOUNT_NAMES) == len(set(INSTCOUNT_NAMES)) == 71
    assert len(set(OPCODES.values())) == len(OPCODES) == 68
    assert INSTCOUNT_NAMES[:5] == (
        *("TotalInstsCount", "TotalBlocksCount", "TotalFuncsCount"),
        *("RetCount", "BrCount"),
    )


def test_the_counts_are_those_of_the_text_before_and_after_passes() -> None:
    for name, module in programs.states():
        counts = reference(module)
        assert features.instcount(module) == [counts[name] for name in INSTCOUNT_NAMES], name
        assert counts["TotalInstsCount"] == module.instruction_count(), name


def test_every_opcode_that_programs_can_hold_is_counted() -> None:
    with Module.parse(programs.OPCODES) as module:
        counts = dict(zip(INSTCOUNT_NAMES, features.instcount(module), strict=True))
    assert [name for name, count in counts.items() if not count] == ["UserOp1Count", "UserOp2Count"]
    assert counts["PtrToAddrCount"] == counts["FreezeCount"] == counts["CallBrCount"] == 1


@pytest.mark.parametrize(("name", "size"), [("InstCount", 71), ("Autophase", 56)])
def test_the_vector_is_a_member_of_its_space(name: str, size: int) -> None:
    message = space_of(name)
    space = space_to_gymnasium(message.space)
    assert space.shape == (size,)
    assert space.dtype == np.int64
    assert message.deterministic
    assert event_to_member(message.default_observation, message.space) in space
    assert member(name, programs.OPCODES) in space


@pytest.mark.parametrize(
    ("name", "needed", "names"),
    [("InstCountDict", "InstCount", INSTCOUNT_NAMES), ("AutophaseDict", "Autophase", AUTOPHASE_NAMES)],
)
def test_the_dict_holds_the_vector_by_name(name: str, needed: str, names: tuple[str, ...]) -> None:
    vector = view(needed, programs.OPCODES)
    named = DERIVED[name].compute(None, {needed: vector})  # type: ignore[arg-type] # uses no environment
    assert list(named) == list(names)
    assert list(named.values()) == vector.tolist()
    assert named in DERIVED[name].space
    assert DERIVED[name].default in DERIVED[name].space
    assert DERIVED[name].space.sample() in DERIVED[name].space


def test_the_normalised_vector_is_each_count_as_a_share_of_the_instructions() -> None:
    norm = DERIVED["InstCountNorm"]
    for _, module in programs.states():
        counts = np.array(features.instcount(module))
        shares = norm.compute(None, {"InstCount": counts})  # type: ignore[arg-type] # uses no environment
        assert shares in norm.space
        assert np.allclose(shares * max(counts[0], 1), counts[1:], rtol=1e-6)
        assert shares[2:].sum() == pytest.approx(min(counts[0], 1), abs=1e-5)
    assert norm.default in norm.space
