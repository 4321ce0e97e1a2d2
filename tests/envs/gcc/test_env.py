"""The GCC environment: states, observations, rewards, replays, and what programs may not do."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import pickle
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import optarena
from optarena import limits
from optarena.datasets import datasets
from optarena.env import CompilerEnv
from optarena.errors import (
    InvalidCommandline,
    InvalidInput,
    ServiceError,
    SessionOutOfMemory,
    SessionTimeout,
    ToolMissing,
)
from optarena.gcc.compiling import Compiler
from optarena.gcc.options import CHOICES, UNSAFE_CHOICES, command
from optarena.gcc.session import GccSession
from optarena.isolation import sandbox as sandbox_module
from optarena.isolation.syscalls import fixed_addresses
from optarena.machine_code import elf
from optarena.machine_code.execution import run_object
from optarena.replay import replay
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.specs import environment_spec
from optarena.specs.results import REASONS
from optarena.validation import validate_state
from tests.kit.gcc import needs_gcc, pinned_gcc
from tests.kit.processes import wait_until

if TYPE_CHECKING:
    from optarena.gcc.env import GccEnv

pytestmark = needs_gcc

URI = "benchmark://gcc-kernels-v0/hashtable"
OBJECTS = Path(__file__).parent / "data/objects.json"
SPEC = environment_spec("gcc-v0")
FEW_EPISODES = 12
EPISODES = int(os.environ.get("OPTARENA_GCC_EPISODES", FEW_EPISODES))
LINES = {
    "gcc -c program.c -o program.o": "9936",
    "gcc -O1 -c program.c -o program.o": "7584",
    "gcc -O2 -c program.c -o program.o": "8120",
    "gcc -O3 -c program.c -o program.o": "8472",
    "gcc -Oz -c program.c -o program.o": "7144",
    "gcc -Os -fno-caller-saves -fno-tree-vrp -c program.c -o program.o": "",
}


@pytest.fixture(scope="module")
def shared() -> Iterator[GccEnv]:
    with optarena.make("gcc-v0", benchmark=URI) as made:
        yield made


@pytest.fixture
def env(shared: GccEnv) -> GccEnv:
    shared.reset()
    return shared


def line(words: str) -> list[Any]:
    return list(CHOICES.parse(f"gcc {words} -c program.c -o program.o"))


def test_a_level_is_an_action_and_the_default_reward_is_relative_to_oz(env: GccEnv) -> None:
    observation, reward, terminated, truncated, info = env.step(line("-Oz")[0])
    assert observation[CHOICES.names.index("-O")] == CHOICES.options.options[0].choices.index("-Oz")
    assert reward == 1.0
    assert not terminated
    assert not truncated
    assert not info["action_had_no_effect"]
    assert env.state.commandline == "gcc -Oz -c program.c -o program.o"
    *_, info = env.step(line("-Oz")[0])
    assert info["action_had_no_effect"]


def test_every_observation_has_its_space_and_means_what_it_says(env: GccEnv) -> None:
    env.multistep(line("-Os -fno-tree-vrp"))
    seen = {name: env.observation[name] for name in env.observation.spaces}
    for name, space in env.observation.spaces.items():
        assert space.space.contains(seen[name]) if hasattr(space, "space") else True, name
    code, assembly = seen["obj"], seen["asm"].encode()
    assert seen["command_line"] == "gcc -Os -fno-tree-vrp -c program.c -o program.o"
    assert (seen["asm_size"], seen["obj_size"]) == (len(assembly), len(code))
    assert seen["asm_hash"] == hashlib.md5(assembly).hexdigest()  # noqa: S324 # the documents' name for it
    assert seen["obj_hash"] == hashlib.md5(bytes(code)).hexdigest()  # noqa: S324 # as above
    assert seen["text_size_bytes"] == elf.section_bytes(bytes(code), ".text") + elf.section_bytes(
        bytes(code), ".text.startup"
    )
    assert seen["text_size_bytes"] < seen["load_size_bytes"] < seen["obj_size"]
    counts = json.loads(seen["instruction_counts"])
    real = json.loads(seen["machine_instruction_counts"])
    assert real.items() < counts.items()
    assert ".globl" in counts
    assert not [name for name in real if name.startswith(".")]
    assert real["ret"] > 0
    assert ";; Function main" in seen["rtl"]
    assert "int main(" in seen["source"]
    assert seen["load_size_bytesO3"] > seen["load_size_bytesO2"] > seen["load_size_bytesOz"]
    assert seen["load_size_bytesO0"] == env.benchmark.baseline("load_size_bytes", "O0")


def test_every_reward_of_the_documents_can_be_chosen() -> None:
    with optarena.make("gcc-v0", benchmark=URI) as env:
        for name in ("asm_size", "obj_size", "LoadSize", "LoadSizeOz", "TextSizeOz"):
            env.reset(options={"reward_space": name})
            _, reward, *_ = env.step(line("-Oz")[0])
            assert reward > 0, name
            assert reward == pytest.approx(1.0) or not name.endswith("Oz")


def test_choices_are_set_at_once_and_count_as_a_step(env: GccEnv) -> None:
    wanted = [-1] * len(CHOICES.names)
    wanted[0], wanted[9] = 6, 1
    env.choices = wanted
    assert env.choices == tuple(wanted)
    assert env.episode_reward == pytest.approx(
        (5288 - env.observation["load_size_bytes"]) / (5288 - env.observation["load_size_bytesOz"])
    )
    assert env.state.commandline == command(CHOICES.options, wanted)
    for bad in (7, 1.0, True, np.array([1, 2])):
        with pytest.raises(InvalidInput, match="Give an integer from -1 to 6"):
            env.choices = [bad, *wanted[1:]]  # type: ignore[list-item] # what a user may write
    with pytest.raises(InvalidInput, match="choices has 3 numbers"):
        env.choices = [1, 2, 3]
    with pytest.raises(InvalidInput, match="choices is 5, which is not a sequence"):
        env.choices = 5  # type: ignore[assignment] # what a user may write
    assert env.choices == tuple(wanted)


def test_the_parameter_tells_and_sets_the_choices(env: GccEnv) -> None:
    env.step(line("-O2")[0])
    told = env.parameter("choices")
    assert told.split(",")[:2] == ["2", "-1"]
    assert env.parameter("choices", told.replace("2", "5", 1)).startswith("5,-1")
    assert env.observation["command_line"] == "gcc -Os -c program.c -o program.o"
    assert env.state.commandline == "gcc -Os -c program.c -o program.o"
    assert env.validate().okay()
    with pytest.raises(InvalidInput, match="choices cannot be kept"):
        env.parameter("choices", told, keep=True)
    for bad in ("1,2", told.replace("2", "99", 1), told.replace("2", "x", 1)):
        with pytest.raises(InvalidInput, match="choices"):
            env.parameter("choices", bad)


def test_a_fork_goes_its_own_way(env: GccEnv) -> None:
    env.step(line("-Oz")[0])
    with env.fork() as other:
        other.step(line("-O3")[0])
        assert other.observation["obj_size"] != env.observation["obj_size"]
        assert env.state.commandline == "gcc -Oz -c program.c -o program.o"


def test_each_state_is_compiled_once(tmp_path: Path) -> None:
    GccSession.preload()
    benchmark = datasets().benchmark(URI)
    message = pb.Benchmark(uri=URI, program=pb.File(contents=benchmark.program()))
    session = GccSession(tmp_path, GccSession.action_spaces[0], message)
    assert session.rtl() is session.rtl()
    assert session.assembly is session.assembly
    assert session.object_file is session.object_file


@pytest.mark.soak
@pytest.mark.parametrize("is_usual", [True, False])
def test_neither_addresses_nor_folder_nor_locale_nor_memory_change_a_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_usual: bool
) -> None:
    folder = tmp_path / ("a" if is_usual else "a folder with a name of another length/ä")
    if not is_usual:
        monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
        monkeypatch.setattr(limits, "SESSION_MEMORY_BYTES", 400 * 1024**2)  # of cc1 and as, by setrlimit
    recorded = json.loads(OBJECTS.read_text())
    compiler = Compiler(pinned_gcc(), folder, datasets().benchmark(URI).program())
    with contextlib.nullcontext(True) if is_usual else fixed_addresses() as allowed:
        assert allowed
        for text, digest in recorded.items():
            words = text.removeprefix("gcc").removesuffix("-c program.c -o program.o").split()
            code = compiler.object_file(compiler.assembly(words))
            assert hashlib.md5(code).hexdigest() == digest, text  # noqa: S324 # as above


def test_the_same_command_line_gives_the_same_bytes_confined_or_not() -> None:
    hashes: dict[str, set[str]] = {text: set() for text in LINES}
    for sandbox in (False, True):
        with optarena.make("gcc-v0", benchmark=URI, sandbox=sandbox) as env:
            for text, size in LINES.items():
                env.reset()
                env.multistep(CHOICES.parse(text))
                hashes[text].add(env.observation["obj_hash"])
                assert size in ("", str(env.observation["obj_size"]))
    assert {len(found) for found in hashes.values()} == {1}
    recorded = json.loads(OBJECTS.read_text())
    assert {text: found.pop() for text, found in hashes.items()} == recorded


def test_a_replay_compiles_once_and_its_trace_has_no_costs() -> None:
    benchmark = datasets().benchmark(URI)
    result = replay(environment="gcc-v0", benchmark=benchmark, actions=line("-Os -fno-tree-vrp -fno-gcse"))
    assert result.ok
    assert {step.cost for step in result.steps} == {None}
    assert len({step.digest for step in result.steps}) == 3
    assert result.sandbox["tools"].keys() == {"cc1", "as", "ld"}
    assert result.metrics["load_size_bytes"] > result.metrics["text_size_bytes"]
    assert [one.ok for one in result.workloads] == [True] * len(benchmark.workloads)


def own(file: Path) -> dict[str, Any]:
    """The options of an episode on a program of one's own, which is not compiled at once."""
    return {"benchmark": f"file://{file}", "reward_space": None, "observation_space": None}


PUSH = "#pragma GCC push_options\n"
POP = "#pragma GCC pop_options\n"
O0 = '#pragma GCC optimize("O0")\n'


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("#include <stdio.h>\nint main(void) { return 0; }", "GCC cannot compile the program: .*stray '#'"),
        ("int main(void) { return x; }", "'x' undeclared"),
        ("not C", "cannot compile the program"),
        (
            '#pragma GCC optimize("O0")\nint main(void) { return 0; }',
            r'program.c sets .*: #pragma GCC opt.*"O0"',
        ),
        (f"{PUSH}{O0}int main(void) {{ return 0; }}\n", "sets options of its own"),
        (f"{PUSH}{POP}{O0}int main(void) {{ return 0; }}\n", "sets options of its own"),
        ('int x;\n _Pragma("GCC optimize (3)") int main(void) { return 0; }', "sets options .*: _Pragma"),
    ],
)
def test_a_program_that_does_not_compile_is_refused(source: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "own.c"
    file.write_text(source)
    with optarena.make("gcc-v0") as env, pytest.raises(InvalidInput, match=message):
        env.reset(options=own(file))


@pytest.mark.parametrize(
    "source",
    [
        'int __attribute__((noinline, optimize("O0"))) main(void) { return 0; }\n',
        f"{PUSH}{O0}int main(void) {{ return 0; }}\n{POP}",
        f"{PUSH}{PUSH}{POP}{O0}int f;\n{POP}int main(void) {{ return 0; }}\n",
    ],
)
def test_functions_with_options_of_their_own_are_named(source: str, tmp_path: Path) -> None:
    file = tmp_path / "own.c"
    file.write_text(source)
    with optarena.make("gcc-v0") as env:
        for _ in range(2):
            with pytest.warns(UserWarning, match=r'options of their own.*optimize\("O0"\)'):
                env.reset(options=own(file))


def test_a_program_of_a_zero_byte_is_an_empty_one(tmp_path: Path) -> None:
    file = tmp_path / "own.c"
    file.write_text("\0")
    with optarena.make("gcc-v0") as env:
        env.reset(options=own(file))
        assert env.observe("load_size_bytes") == 0
        assert "main" not in env.observe("asm")


def test_code_counts_in_any_section(tmp_path: Path) -> None:
    source = "{} int f(int x) {{ return x * x + 7 / x; }} int main(void) {{ return f(3); }}"
    sizes = []
    with optarena.make("gcc-v0") as env:
        for number, section in enumerate(("", ".rodata.f", ".eh_frame_f", ".data.f", ".note.f")):
            file = tmp_path / f"own{number}.c"
            attributes = f'noinline, section("{section}")' if section else "noinline"
            file.write_text(source.format(f"__attribute__(({attributes}))"))
            env.reset(options=own(file))
            sizes.append((env.observe("text_size_bytes"), env.observe("load_size_bytes")))
    assert len(set(sizes)) == 1


def test_code_that_becomes_jump_tables_is_not_saved() -> None:
    uri = "benchmark://gcc-kernels-v0/json"
    with optarena.make("gcc-v0", benchmark=uri) as env:
        env.reset()
        env.multistep(line("-Oz"))
        before = {name: env.observation[name] for name in ("text_size_bytes", "load_size_bytes")}
        env.multistep(line("-Oz --param=jump-table-max-growth-ratio-for-size=2400"))
        text, load = env.observation["text_size_bytes"], env.observation["load_size_bytes"]
        assert text < before["text_size_bytes"]
        assert load > before["load_size_bytes"]
        saved = before["load_size_bytes"] - (before["text_size_bytes"] - text)
        claimed = replace(env.state, claims={"load_size_bytes": float(saved)})
    result = validate_state(claimed, environment="gcc-v0")
    assert not result.ok
    assert str(load) in str(result)


def test_an_object_that_needs_a_library_is_not_run() -> None:
    words = "-O3 -floop-parallelize-all -ftree-parallelize-loops=4"
    with pytest.raises(InvalidCommandline, match="is not allowed: needs another library"):
        line(words)
    with optarena.make("gcc-unsafe-v0", benchmark="benchmark://gcc-kernels-v0/fourier") as env:
        env.reset()
        env.multistep(UNSAFE_CHOICES.parse(f"gcc {words} -c program.c -o program.o"))
        code = bytes(env.observe("obj"))
    assert "GOMP_parallel" in (run_object(lambda: code).failure or "")


def test_a_constructor_is_named_by_the_verifier(tmp_path: Path) -> None:
    file = tmp_path / "own.c"
    file.write_text(
        "int x; __attribute__((constructor)) void f(void) { x = 1; } int main(void) { return x; }"
    )
    with optarena.make("gcc-v0") as env:
        env.reset(options=own(file))
        result = replay(environment="gcc-v0", benchmark=env.benchmark, actions=line("-Os"))
    assert result.reason == "semantics:verifier"
    assert "it has a constructor" in result.detail


@pytest.mark.soak
def test_a_compiler_that_takes_all_memory_is_ended(tmp_path: Path) -> None:
    """Each function doubles the one before, which is inlined at every level."""
    file = tmp_path / "own.c"
    doubled = "INLINED int f{n}(int x) {{ return f{m}(x) + f{m}(x ^ {n}); }}"
    lines = [doubled.format(n=n, m=n - 1) for n in range(1, 24)]
    first, last = "static int f0(int x) { return x * 3 + 1; }", "int main(int c, char **v) { return f23(c); }"
    text = "\n".join([first, *lines, last])
    file.write_text(text.replace("INLINED", "static inline __attribute__((always_inline))"))
    with optarena.make("gcc-v0", sandbox=True) as env:
        env.reset(options=own(file))
        with pytest.raises((SessionOutOfMemory, SessionTimeout)):
            env.observe("obj")
    left = running("cc1")  # those of other tests that run at this moment end by themselves
    wait_until(lambda: not left & running("cc1"))


def running(name: str) -> set[int]:
    found = set()
    for process in Path("/proc").iterdir():
        if process.name.isdecimal():
            try:
                command = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
            if f"/{name} " in command and process.stat().st_uid in (os.geteuid(), 65533):
                found.add(int(process.name))
    return found


def test_a_machine_without_the_compiler_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert SPEC.why_unavailable() == ""
    monkeypatch.setenv("OPTARENA_GCC", str(tmp_path))
    assert "optarena gcc install" in SPEC.why_unavailable()
    with pytest.raises(ToolMissing, match="it has no cc1"):
        optarena.make("gcc-v0")
    assert "infra:toolchain-missing" in REASONS


@pytest.mark.soak
@pytest.mark.timeout(max(300, EPISODES * 30))
def test_random_episodes_never_stop_an_agent() -> None:
    """``OPTARENA_GCC_EPISODES=1000`` makes it as many, on all kernels."""
    uris = [URI] if EPISODES <= FEW_EPISODES else [str(one.uri) for one in datasets()["gcc-kernels-v0"]]
    drawn = random.Random(3)  # noqa: S311 # nothing secret
    with optarena.make("gcc-v0", benchmark=URI, sandbox=True) as env:
        for number in range(EPISODES):
            env.reset(options={"benchmark": uris[number % len(uris)]})
            for _ in range(drawn.randrange(1, 6)):
                actions = [tuple(drawn.randrange(size) for size in CHOICES.sizes) for _ in range(20)]
                _, reward, terminated, _, info = env.multistep(actions)
                assert np.isfinite(reward)
                assert not terminated, info
    assert isinstance(env, CompilerEnv)


def test_a_pickle_knows_that_the_parameter_stands_for_the_actions_before_it() -> None:
    env = optarena.make("gcc-v0", benchmark=URI)
    env.reset()
    env.step(line("-O2 -fno-inline")[0])
    env.step(line("-O3")[0])
    told = env.parameter("choices")
    env.parameter("choices", told.replace("3", "5", 1))
    env.step(line("-O1")[0])
    with env, pickle.loads(pickle.dumps(env)) as twin:  # noqa: S301 # made here
        assert twin.actions == env.actions
        assert twin.observation["command_line"] == env.observation["command_line"]
        assert twin.episode_reward == env.episode_reward


HOSTILE = {
    "another file in assembly": (
        'int main(void) { return 0; }\nasm(".section .rodata\\n.incbin \\"/etc/passwd\\"\\n");',
        ServiceError,
        "(?s)as failed with exit code 1.*file not found: /etc/passwd",
    ),
    "a line of a file as the place of an error": (
        '# 1 "program.c"\nint main(int n, char **v) { asm("" : : "I"(n)); return 0; }',
        ServiceError,
        r"(?s)\A(?!.* \| ).*impossible constraint",
    ),
    "a crash of the assembler": (
        'int main(void) { return 0; }\nasm("no such instruction");',
        ServiceError,
        "as failed with exit code 1",
    ),
}


@pytest.mark.skipif(sandbox_module.version() is None, reason="this kernel has no Landlock")
@pytest.mark.parametrize("sandbox", [True, False])
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_program_reaches_nothing(name: str, tmp_path: Path, *, sandbox: bool) -> None:
    source, error, message = HOSTILE[name]
    file = tmp_path / "own.c"
    file.write_text(source)
    with optarena.make("gcc-v0", sandbox=sandbox) as env:
        env.reset(options={"benchmark": f"file://{file}", "reward_space": None, "observation_space": None})
        with pytest.raises(error, match=message):
            env.observe("obj")
