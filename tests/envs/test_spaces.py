"""Spaces and views of a service: names, and the limits of texts."""

from __future__ import annotations

import copy
from typing import Any

import gymnasium
import numpy as np
import pytest

from optarena.env.backends import backend_for
from optarena.env.spaces import NamedDiscrete, ObservationSpec, action_space
from optarena.errors import TransportError, UnknownName
from optarena.llvm.session import LlvmSession
from optarena.service.proto.compiler_gym_service_pb2 import (
    ByteTensor,
    DoubleSequenceSpace,
    DoubleTensor,
    Event,
    Int64Range,
    Int64SequenceSpace,
    Int64Tensor,
    ObservationSpace,
    Space,
)

SPECS = {
    message.name: ObservationSpec(index, message)
    for index, message in enumerate(LlvmSession.observation_spaces)
}


def test_a_named_space_is_a_discrete_space_with_names() -> None:
    space = action_space(LlvmSession.action_spaces[0])
    assert isinstance(space, NamedDiscrete)
    assert isinstance(space, gymnasium.spaces.Discrete)
    assert space.n == len(space.names)
    assert space.from_string("mem2reg gvn") == [space.names.index("mem2reg"), space.names.index("gvn")]
    assert space.to_string(space.from_string("mem2reg gvn")) == "mem2reg gvn"
    assert space.to_string(np.int64(3)) == space.names[3]
    assert "llvm-passes-v0" in repr(space)
    with pytest.raises(UnknownName, match="Did you mean 'mem2reg'"):
        space.from_string("gvn mem2re")


def test_equal_names_make_equal_spaces() -> None:
    space = NamedDiscrete(["a", "b"])
    assert space == copy.deepcopy(space) == NamedDiscrete(["a", "b"], "other name")
    assert space != NamedDiscrete(["a", "c"])
    assert space != gymnasium.spaces.Discrete(2)


def test_texts_and_bytes_are_text_spaces() -> None:
    assert isinstance(SPECS["Ir"].space, gymnasium.spaces.Text)
    assert isinstance(SPECS["Bitcode"].space, gymnasium.spaces.Text)
    assert SPECS["IrSha1"].space == gymnasium.spaces.Text(
        40, min_length=40, charset="".join(map(chr, range(128)))
    )
    assert SPECS["Bitcode"].space.contains("BC\xc0\xde")
    assert not SPECS["Ir"].space.contains("\xff")


def test_features_are_floats_for_networks_and_counts_are_integers() -> None:
    assert SPECS["Autophase"].space == gymnasium.spaces.Box(0, 2**63 - 1, (56,), np.float32)
    count = SPECS["IrInstructionCount"].space
    assert isinstance(count, gymnasium.spaces.Box)
    assert (count.shape, count.dtype) == ((), np.int64)


def test_a_service_is_asked_once_for_what_it_offers() -> None:
    info = backend_for("optarena.llvm.session:LlvmSession").info()
    assert info is backend_for("optarena.llvm.session:LlvmSession").info()
    assert list(info.observations) == list(SPECS)
    assert "22.1.8" in info.compiler_version
    measured = {name for name, spec in info.observations.items() if not spec.deterministic}
    assert measured == {"BitcodeFile", "Buildtime", "Runtime"}
    of_the_machine = {name for name, spec in info.observations.items() if spec.platform_dependent}
    linked = {f"{name}{level}" for name in ("TextSize", "TextSizeBytes") for level in ("O0", "O3", "Oz")}
    linked |= {"TextSizeBytes", "IsBuildable"}
    assert of_the_machine == measured | linked | {"CpuInfo"}


def test_a_value_that_is_not_of_its_space_is_the_services_fault() -> None:
    for name, event in (
        ("Autophase", Event(int64_tensor=Int64Tensor(shape=[2], value=[1, 2]))),
        ("Autophase", Event(int64_tensor=Int64Tensor(shape=[2, 28], value=[0] * 56))),
        ("Autophase", Event(int64_tensor=Int64Tensor(shape=[56], value=[0] * 55 + [-1]))),
        ("Autophase", Event(double_tensor=DoubleTensor(shape=[56], value=[1.0] * 56))),
        ("IrInstructionCount", Event(int64_value=-1)),
        ("Bitcode", Event(byte_tensor=ByteTensor(shape=[3], value=b"BC"))),
        ("IrInstructionCount", Event(string_value="many")),
        ("Ir", Event(int64_value=3)),
    ):
        with pytest.raises(TransportError, match=name):
            SPECS[name].member(event)
        with pytest.raises(TransportError, match=name):
            SPECS[name].view(event)


def spec(**space: Any) -> ObservationSpec:
    return ObservationSpec(0, ObservationSpace(name="odd", space=Space(**space)))


def test_the_tensor_of_a_sequence_may_leave_its_shape_out() -> None:
    numbers = spec(int64_sequence=Int64SequenceSpace(scalar_range=Int64Range(min=0)))
    given = Event(int64_tensor=Int64Tensor(value=[1, 2]))
    assert numbers.view(given).tolist() == numbers.member(given).tolist() == [1, 2]
    with pytest.raises(TransportError, match=r"\[1, -2\] .* out of range"):
        numbers.view(Event(int64_tensor=Int64Tensor(value=[1, -2])))
    fixed = spec(double_sequence=DoubleSequenceSpace(length_range=Int64Range(min=2, max=2)))
    assert fixed.member(Event(double_tensor=DoubleTensor(value=[1, 2]))).tolist() == [1, 2]
    for wrong in ([1.0], [1.0, float("nan")]):
        with pytest.raises(TransportError, match="out of range"):
            fixed.view(Event(double_tensor=DoubleTensor(value=wrong)))


def test_a_default_that_is_not_of_its_space_is_none() -> None:
    message = ObservationSpace(name="odd", space=Space(int64_value=Int64Range(min=3)))
    message.default_observation.int64_value = -1
    assert ObservationSpec(0, message).default == 3


def test_a_service_may_leave_out_its_defaults() -> None:
    for spec in SPECS.values():
        message = ObservationSpace(name=spec.name, space=spec.message.space)
        silent = ObservationSpec(spec.index, message)
        assert silent.space.contains(silent.default), spec.name
