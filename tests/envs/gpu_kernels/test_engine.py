"""LLVM in llvmlite: pipelines as text, the costs of the real target, and PTX."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from optarena.errors import InvalidInput, PlatformNotSupported
from optarena.gpu_kernels import engine
from tests.kit.gpu_kernels import NAMES, optimised, program


def test_a_pipeline_of_any_passes_runs() -> None:
    module = optimised("matrix-product")
    before = module.instruction_count()
    module.run("function(sroa),cgscc(inline),function(loop-mssa(licm)),globaldce")
    assert 0 < module.instruction_count() < before
    assert module.problem() == ""


def test_an_unknown_pass_is_named_and_the_module_is_unchanged() -> None:
    module = optimised("vector-add")
    before = module.text()
    with pytest.raises(InvalidInput, match="unknown module pass 'nonsense'"):
        module.run("function(sroa),nonsense")
    assert module.text() == before


def test_passes_ask_for_the_costs_of_nvptx() -> None:
    """Generic costs let LLVM vectorise loops for CPUs; NVPTX has no vector registers."""
    text = optimised("filter", "default<O3>").text()
    assert "<4 x float>" not in text
    assert "<8 x float>" not in text


@pytest.mark.parametrize("name", NAMES)
def test_the_same_passes_give_the_same_ptx(name: str) -> None:
    first, second = (optimised(name, "default<O2>") for _ in range(2))
    assert first.text() == second.text()
    assert first.ptx() == second.ptx()
    assert f".entry {program(name).kernel}(" in first.ptx()


def test_making_ptx_changes_nothing() -> None:
    module = optimised("softmax", "default<O1>")
    before = module.text()
    module.ptx()
    assert module.text() == before


@pytest.mark.parametrize("text", ["", "define nothing", "define void @f() { ret i32 1 }"])
def test_text_that_is_not_ir_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="not valid LLVM IR"):
        engine.KernelModule(text or "%")


def test_a_build_of_llvmlite_without_symbols_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stripped = next(Path(sys.prefix).rglob("_multiarray_umath*.so"))
    shutil.copy(stripped, tmp_path / "libllvmlite.so")
    monkeypatch.setattr(engine, "ffi", SimpleNamespace(__file__=str(tmp_path / "ffi.py")))
    with pytest.raises(PlatformNotSupported, match="Install the wheel of llvmlite"):
        engine.Kernels()


@pytest.mark.parametrize(
    ("place", "name", "value", "says"),
    [
        ("llvmlite.binding", "llvm_version_info", (22, 1, 1), "with LLVM 22.1.1, and not LLVM 22.1.0"),
        ("llvmlite", "__version__", "0.51.0", "llvmlite is 0.51.0 with"),
    ],
)
def test_another_version_is_named(
    place: str, name: str, value: object, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"{place}.{name}", value)
    with pytest.raises(PlatformNotSupported, match=says):
        engine.Kernels()
