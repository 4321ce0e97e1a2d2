"""Another release of LLVM beside the pinned one: its table, its processes, and how one gets it."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from typing import TYPE_CHECKING

import gymnasium
import numpy as np
import pytest
from click.testing import CliRunner

from optarena.cli import main
from optarena.errors import InvalidCommandline, InvalidInput, PlatformNotSupported, ToolMissing
from optarena.isolation.tool_files import sha256_of
from optarena.llvm.actions import CURATED, release_table
from optarena.llvm.commands import install_release, refused
from optarena.llvm.releases import RELEASES
from optarena.machine_code.libllvm import choose_release, find_release, library
from optarena.specs import environment_spec
from optarena.state import EnvState
from optarena.validation import validate_state
from tests.kit.llvm.releases import LLVM_23, needs_llvm_23

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.env import CompilerEnv

RELEASE = RELEASES["23.1.4"]
TABLE = release_table(RELEASE)
SUDOKU = "benchmark://kernels-v0/sudoku"
PASSES = ("sroa", "gvn", "instcombine", "simplifycfg<late>")


def _made(slug: str, benchmark: str = SUDOKU) -> CompilerEnv:
    env: CompilerEnv = gymnasium.make(f"optarena/{slug}", benchmark=benchmark).unwrapped  # type: ignore[assignment]
    env.reset()
    return env


class TestTable:
    def test_it_has_the_passes_of_the_pinned_release_but_those_that_are_gone(self) -> None:
        names = [RELEASE.translated(one.name) for one in CURATED.actions]
        assert [name for name in names if name not in TABLE.names] == ["mergereturn"]

    def test_a_parameter_has_its_new_name_in_names_and_pipelines(self) -> None:
        action = TABLE.action(TABLE.index("gvn<no-scalar-pre>"))
        assert action.pipeline == "function(gvn<no-scalar-pre;no-load-pre>)"

    def test_texts_round_trip(self) -> None:
        every = tuple(range(len(TABLE)))
        text = TABLE.commandline(every)
        assert text.startswith("opt-23 ")
        assert TABLE.parse(text) == every

    def test_a_text_of_the_pinned_release_is_refused_with_the_command_that_translates_it(self) -> None:
        with pytest.raises(InvalidCommandline, match=r"of LLVM 23\.1\.4\. Translate .*`optarena carry"):
            TABLE.parse(CURATED.commandline((0,)))

    def test_the_pinned_release_refuses_a_text_of_another(self) -> None:
        with pytest.raises(InvalidCommandline, match=r"opt-23 is of another release"):
            CURATED.parse(TABLE.commandline((0,)))

    def test_the_number_of_the_pinned_release_may_be_written(self) -> None:
        assert CURATED.parse(CURATED.commandline((3,)).replace("opt ", "opt-22 ", 1)) == (3,)

    def test_a_pass_that_is_gone_is_refused_by_name(self) -> None:
        with pytest.raises(InvalidCommandline, match=r"refused by LLVM 23\.1\.4: unknown function pass"):
            TABLE.parse("opt-23 -passes='function(mergereturn)' input.bc -o output.bc")

    @needs_llvm_23
    def test_what_is_refused_is_what_the_library_refuses(self) -> None:
        """Each text in a confined process of its own, since 12 of them end it."""
        found = dict(refused(RELEASE))
        assert found == RELEASE.refused
        assert sum(why.startswith("it ends the process") for why in found.values()) == 12


@needs_llvm_23
class TestProcesses:
    def test_both_releases_work_side_by_side_on_one_program(self) -> None:
        with _made("llvm-ic-v0") as old, _made("llvm-23-v0") as new:
            for env in (old, new):
                for name in PASSES:
                    env.step(env.environment.action_table.names.index(name))
            assert old.observation["IrSha1"] != new.observation["IrSha1"]
            assert new.observation["IrInstructionCount"] < new.observation["IrInstructionCountO0"]
            assert new.validate().ok

    @pytest.mark.parametrize("program", ["sudoku", "bytecode", "sha256"])
    @pytest.mark.parametrize(
        "name", ["Autophase", "InstCount", "FunctionProperties", "ProgramGraph", "Loops", "CallSites"]
    )
    def test_a_program_as_given_looks_the_same_in_both(self, program: str, name: str) -> None:
        """Opcodes and kinds of values have other numbers in LLVM 23."""
        uri = f"benchmark://kernels-v0/{program}"
        with _made("llvm-ic-v0", uri) as old, _made("llvm-23-v0", uri) as new:
            np.testing.assert_equal(old.observation[name], new.observation[name])

    def test_branches_of_both_kinds_count_as_branches(self) -> None:
        with _made("llvm-23-v0") as env:
            env.step(TABLE.index("sroa"))
            counts = env.observation["AutophaseDict"]
            branches = sum(line.lstrip().startswith("br ") for line in env.ir.splitlines())  # type: ignore[attr-defined]
            assert counts["NumBrInst"] == counts["BranchCount"] == branches

    def test_the_reference_is_o2_over_functions_that_are_marked(self) -> None:
        with _made("llvm-23-v0") as env:
            marked = env.observation[LLVM_23.metrics[-1].observation]
            assert marked == env.observation["IrInstructionCountO2minsize"]
            assert marked <= env.observation["IrInstructionCountO2"]
            assert marked < env.observation["IrInstructionCountO0"]

    def test_a_level_that_would_end_the_process_is_refused_and_the_session_goes_on(self) -> None:
        with _made("llvm-23-v0") as env:
            with pytest.raises(InvalidInput, match=r"level 'Oz': it ends the process: .*O2minsize"):
                env.parameter("llvm.apply_baseline_optimizations", "-Oz")
            assert env.step(TABLE.index("sroa"))[1] > 0

    def test_two_releases_are_never_in_one_process(self) -> None:
        library()
        with pytest.raises(PlatformNotSupported, match="two releases cannot be in one process"):
            choose_release(RELEASE.version)

    def test_programs_run_after_passes_of_the_release(self) -> None:
        text = TABLE.commandline(tuple(map(TABLE.index, PASSES)))
        found = validate_state(EnvState(benchmark=SUDOKU, commandline=text), environment=LLVM_23)
        assert found.ok
        assert found.replay is not None
        assert found.replay.workloads


class TestInstalling:
    def test_without_it_the_error_says_how_to_get_it(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("OPTARENA_LIBLLVM_23", "/nowhere")
        with pytest.raises(ToolMissing, match="optarena llvm install 23"):
            gymnasium.make("optarena/llvm-23-v0")
        assert "not a file" in environment_spec("llvm-23-v0").why_unavailable()
        assert "optarena llvm install 23" in CliRunner().invoke(main, ["llvm"]).output

    @needs_llvm_23
    def test_a_wheel_is_unpacked_where_it_is_found(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("OPTARENA_LIBLLVM_23", raising=False)
        installed = find_release(RELEASE.version).parent
        wheel = tmp_path / "llvm.whl"
        with zipfile.ZipFile(wheel, "w") as archive:
            for file in installed.rglob("*.so.*"):
                archive.write(file, f"llvm.data/data/lib/{file.relative_to(installed)}")
            archive.writestr("llvm.data/data/bin/other", "not wanted")
        monkeypatch.setenv("OPTARENA_SITE_DATA", str(tmp_path / "data"))
        target = tmp_path / "data/toolchains/llvm-23.1.4"
        for _ in range(2):  # the second replaces the first
            install_release(replace(RELEASE, sha256=sha256_of(wheel)), target, tmp_path)
        assert find_release(RELEASE.version) == target / "lib/libLLVM.so.23.1"
        assert not list(target.rglob("other"))

    def test_a_wheel_with_another_hash_is_refused(self, tmp_path: Path) -> None:
        (tmp_path / "other.whl").write_bytes(b"other")
        with pytest.raises(InvalidInput, match=rf"no wheel of .* with sha256 {RELEASE.sha256}"):
            install_release(RELEASE, tmp_path / "to", tmp_path)
        assert not (tmp_path / "to").exists()

    def test_a_folder_of_something_else_is_not_replaced(self, tmp_path: Path) -> None:
        (tmp_path / "lib").mkdir()
        with pytest.raises(InvalidInput, match="Name a folder that does not exist"):
            install_release(RELEASE, tmp_path, tmp_path)

    def test_an_unknown_release_is_named_with_those_that_are_known(self) -> None:
        done = CliRunner().invoke(main, ["llvm", "install", "19"])
        assert done.exit_code == 2
        assert "'19'" in done.output
        assert RELEASE.version in done.output
