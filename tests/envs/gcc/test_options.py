"""GCC's options, actions, relative actions, known programs and programs of several units."""

from __future__ import annotations

import os
import random
import shutil
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import optarena
from optarena.datasets import Benchmark, datasets
from optarena.datasets.dataset import media_type, suffix_of
from optarena.errors import InvalidAction, InvalidCommandline, InvalidInput
from optarena.gcc import build_options, pinned, session
from optarena.gcc.build_options import DescribedOption, optimizers, parameters
from optarena.gcc.compiling import Compiler
from optarena.gcc.description import CODESIZE
from optarena.gcc.options import (
    CHOICES,
    DEFAULT,
    SAFE,
    UNSAFE_CHOICES,
    UNSET,
    GccOption,
    OptionTable,
    RelativeTable,
    read,
    whole_table,
)
from optarena.gcc.other_session import OtherGccSession
from optarena.gcc.session import GccSession
from optarena.gcc.units import (
    MAGIC,
    MAX_NAME,
    MAX_UNITS,
    MEDIA_TYPE,
    SUFFIX,
    Unit,
    is_container,
    pack,
    unpack,
)
from optarena.isolation.tools import ToolFailed
from optarena.machine_code import elf
from optarena.machine_code.execution import failure_of, run_object
from optarena.replay import replay
from optarena.service.proto import compiler_gym_service_pb2 as pb
from optarena.specs import environment_spec
from optarena.specs.benchmark import Workload
from tests.kit.examples import examples
from tests.kit.gcc import needs_gcc, pinned_gcc

if TYPE_CHECKING:
    from optarena.gcc.env import GccEnv

LINE = "gcc -Oz -fno-tree-vrp --param=max-hoist-depth=60 -c program.c -o program.o"


def test_a_command_line_is_read_and_written() -> None:
    actions = CHOICES.parse(LINE)
    assert [CHOICES.text(action) for action in actions] == [
        "-Oz",
        "-fno-tree-vrp",
        "--param=max-hoist-depth=60",
    ]
    assert CHOICES.commandline(actions) == LINE
    assert CHOICES.parse("gcc -c program.c -o program.o") == ()
    assert environment_spec("gcc-v0").parse(LINE) == (CHOICES, actions)


def test_what_was_chosen_last_counts_and_the_order_is_the_tables() -> None:
    vrp, level = CHOICES.names.index("-ftree-vrp"), CHOICES.names.index("-O")
    assert (
        CHOICES.commandline([(vrp, 2), (level, 1), (level, 7)])
        == "gcc -Oz -fno-tree-vrp -c program.c -o program.o"
    )
    assert CHOICES.commandline([(vrp, 2), (vrp, 0)]) == "gcc -c program.c -o program.o"
    assert CHOICES.text((vrp, 0)) == "unset:-ftree-vrp"
    shuffled = LINE.replace("-Oz -fno-tree-vrp", "-fno-tree-vrp -Oz")
    assert CHOICES.commandline(CHOICES.parse(shuffled)) == LINE


def test_random_states_survive_as_text() -> None:
    drawn = random.Random(5)  # noqa: S311 # nothing secret
    for _ in range(50):
        actions = [
            tuple(drawn.randrange(size) for size in CHOICES.sizes) for _ in range(drawn.randrange(300))
        ]
        state = CHOICES.applied(actions)
        again = CHOICES.parse(CHOICES.commandline(actions))
        assert CHOICES.applied(again) == state
        assert list(again) == CHOICES.leading([-1] * len(state), state)


@pytest.mark.parametrize(
    ("action", "message"),
    [
        ((397, 0), "Action 397, component 0 is not in the action space"),
        ((0, 11), "Action 11, component 1 is not in the action space"),
        ((0, -1), "Action -1, component 1 is not in the action space"),
        ((0,), "does not have the form of this action space"),
        (3, "does not have the form of this action space"),
        (("-Oz", 1), "is not an integer"),
    ],
)
def test_what_is_not_in_the_space_is_refused(action: object, message: str) -> None:
    with pytest.raises(InvalidAction, match=message):
        CHOICES.check(action)


def test_numbers_beyond_the_last_value_begin_again() -> None:
    flag = CHOICES.names.index("-fgcse")
    assert [CHOICES.check((flag, value))[1] for value in range(7)] == [0, 1, 2, 0, 1, 2, 0]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("-fno-tree-vrp -ftree-vrp", r"'-ftree-vrp' is given after -fno-tree-vrp\. Give each option once"),
        ("-Os -Oz", "'-Oz' is given after -Os"),
        ("-fno-tree-vpr", r"is not an option of gcc-12\.2-choices-v0\. Did you mean '-fno-tree-vrp'"),
        ("--param=max-hoist-depth=31", "has a value that is not in the table. Give one of: 0, 3, 7, 15"),
        ("-fira-region=some", "Give one of: one, all, mixed"),
        ("-ffast-math", "is not allowed: changes what floating-point arithmetic computes"),
        ("-Ofast", "is not allowed"),
        ("-fpack-struct=2", "is not allowed: changes the binary interface"),
        ("--param=asan-stack=1", "is not allowed: adds code that checks"),
        ("-fplugin=evil.so", "is not an option"),
        ("-fdump-rtl-all", "is not an option"),
        ("-specs=evil", "is not an option"),
        ("-dumpdir /etc/", "is not an option"),
    ],
)
def test_each_kind_of_bad_word_has_its_error(words: str, message: str) -> None:
    with pytest.raises(InvalidCommandline, match=message):
        CHOICES.parse(f"gcc -fgcse {words} -c program.c -o program.o")


@pytest.mark.parametrize(
    "line", ["", "gcc", "clang -Oz -c program.c -o program.o", "gcc -Oz -c other.c -o program.o", "gcc -Oz"]
)
def test_another_form_is_refused(line: str) -> None:
    with pytest.raises(
        InvalidCommandline, match=r"Write it as: gcc -Os -fno-tree-vrp … -c program\.c -o program\.o"
    ):
        CHOICES.parse(line)


DATA = Path(__file__).parent / "data"
FUZZED = ("hashtable", "quicksort", "json", "fourier", "sudoku")
SEED = 20261124


def recorded(kind: str, version: str) -> str:
    return (DATA / f"{kind}-{version}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("version", "options", "params"),
    [
        ("7.3", (215, 7, 5), (49, 148, 0)),
        ("11.3", (226, 10, 10), (91, 168, 2)),
        ("12.2", (231, 11, 10), (95, 175, 3)),
        ("13.3", (232, 11, 11), (105, 172, 3)),
        ("14.2", (238, 12, 13), (108, 177, 3)),
    ],
)
def test_the_help_of_each_version_is_read_to_its_end(
    version: str, options: tuple[int, int, int], params: tuple[int, int, int]
) -> None:
    """Flags, enums and others; numbers with and without a range, and enums."""
    kinds = Counter(one.kind for one in optimizers(recorded("optimizers", version)))
    assert (kinds["flag"], kinds["enum"], kinds["number"] + kinds["text"]) == options
    found = parameters(recorded("params", version))
    ranges = Counter(one.low is not None for one in found if one.kind == "number")
    assert (ranges[True], ranges[False], sum(one.kind == "enum" for one in found)) == params


def test_what_help_says_of_single_options() -> None:
    found = {one.name: one for one in optimizers(recorded("optimizers", "12.2"))}
    found |= {one.name: one for one in parameters(recorded("params", "12.2"))}
    assert found["-O"].values == ("0", "1", "2", "3", "fast", "g", "s", "z")
    assert found["-fcaller-saves"] == DescribedOption(name="-fcaller-saves", kind="flag", default="disabled")
    assert found["-fira-region="].values == ("one", "all", "mixed")
    assert found["-flifetime-dse="] == DescribedOption(
        name="-flifetime-dse=", kind="number", low=0, high=2, default="2"
    )
    # Its default lies outside its range, which stopped the parsers of others.
    outside = found["--param=logical-op-non-short-circuit="]
    assert (outside.low, outside.high, outside.default) == (0, 1, "-1")
    assert not {"-frtti", "-fno-threadsafe-statics", "--param=lazy-modules="} & found.keys()
    old = {one.name: one for one in parameters(recorded("params", "7.3"))}
    wrapped = old["--param=asan-instrumentation-with-call-threshold="]
    assert (wrapped.low, wrapped.high) == (0, 2**31 - 1)
    assert old["--param=uninit-control-dep-attempts="].low is None
    assert "-fvect-cost-model=" in {one.name for one in optimizers(recorded("optimizers", "7.3"))}


def test_numbers_are_near_the_default_and_in_range() -> None:
    values = {one.name: build_options.value_texts(one) for one in parameters(recorded("params", "12.2"))}
    assert values["--param=case-values-threshold="] == ("0", "1", "2", "4", "8", "16", "32")
    assert values["--param=max-hoist-depth="] == ("0", "3", "7", "15", "30", "60", "120", "240")
    assert values["--param=max-combine-insns="] == ("2", "3", "4")
    assert values["--param=align-threshold="] == ("1", "12", "25", "50", "100", "200", "400", "800")


def test_no_board_takes_what_workloads_would_not_notice() -> None:
    unsafe = {
        "-ffast-math", "-freciprocal-math", "-fpack-struct=", "-ftrapv", "-fstrict-aliasing", "-fwrapv",
        "-fsection-anchors", "-flive-patching", "-fsave-optimization-record", "-fbranch-probabilities",
        "-ftree-parallelize-loops=", "-fselective-scheduling", "-fstack-protector",
        "--param=ggc-min-expand=", "--param=asan-stack=",
    }  # fmt: skip
    assert unsafe <= {option.name for option in SAFE.others}
    assert all(option.reason for option in SAFE.others)
    level = SAFE.options[0]
    assert (level.name, level.left_out) == ("-O", ("-Ofast",))
    assert level.choices == ("-O0", "-O1", "-O2", "-O3", "-Og", "-Os", "-Oz")
    assert len(SAFE.options) == 397
    assert sum(len(option.choices) for option in SAFE.options) == 1975


def test_the_table_is_what_the_pinned_gcc_says() -> None:
    """Without the compilation of each setting, which the next test makes."""
    written = {one.name: one for one in read(build_options.TABLE.read_text(encoding="utf-8"))}
    said = {one.name: one for one in build_options.describe_options(pinned_gcc())}
    assert list(written) == list(said)
    for name, option in written.items():
        assert option.choices == said[name].choices, name
        assert option.default == said[name].default, name
        assert dict(option.defaults) == dict(said[name].defaults), name
        assert option.reason == said[name].reason, name
        assert option.whole == said[name].whole, name


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_every_setting_of_the_table_alone_compiles(tmp_path: Path) -> None:
    words = list(SAFE.by_word)
    (tmp_path / "program.c").write_text(build_options.PROGRAM, encoding="utf-8")
    check = partial(build_options.compiles, pinned_gcc(), tmp_path)
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        passed = threads.map(check, words)
    assert [word for word, ok in zip(words, passed, strict=True) if not ok] == []


@pytest.mark.drawn
def test_random_settings_change_no_output(tmp_path: Path) -> None:
    drawn = random.Random(SEED)  # noqa: S311 # nothing secret
    for number in range(examples(1)):
        name, level = FUZZED[number % len(FUZZED)], ("-O2", "-O3", "-Oz")[number % 3]
        benchmark = datasets().benchmark(f"benchmark://gcc-kernels-v0/{name}")
        options = SAFE.options[1:]
        chosen = drawn.sample(options, round(len(options) * drawn.choice((0.05, 0.3, 1.0))))
        words = [level, *(drawn.choice(option.choices) for option in options if option in chosen)]
        folder = tmp_path / str(number)
        folder.mkdir()
        compiler = Compiler(pinned_gcc(), folder, benchmark.program())
        code = compiler.object_file(compiler.assembly(words))
        workload = benchmark.workloads[number % len(benchmark.workloads)]
        made = run_object(lambda code=code: code, args=workload.args, stdin=workload.stdin)
        line = f"{name}: {' '.join(words)}"
        assert failure_of(made) is None, line
        assert (made.stdout, made.exit_code) == (workload.expected_stdout, workload.exit_code), line
    assert CHOICES.options is SAFE


URI = "benchmark://gcc-kernels-v0/hashtable"


def number(last: int) -> GccOption:
    return GccOption(name="--param=x=", kind="number", choices=("--param=x=0",), whole=(0, last))


@pytest.mark.parametrize(
    ("last", "steps"),
    [
        (9, "+1 -1"),
        (48, "+1 -1"),
        (49, "+1 -1 +10 -10"),
        (499, "+1 -1 +10 -10 +100 -100"),
        (2**31 - 1, "+1 -1 +10 -10 +100 -100 +1000 -1000"),
    ],
)
def test_an_option_of_many_values_is_moved(last: int, steps: str) -> None:
    table = RelativeTable(whole_table(OptionTable("some", [number(last)]), "default"))
    assert table.names == tuple(f"--param=x[{step}]" for step in steps.split())


def test_an_option_of_few_values_is_set() -> None:
    table = RelativeTable(whole_table(OptionTable("some", [number(8)]), "default"))
    assert table.names == tuple(f"--param=x={value}" for value in range(9))
    assert DEFAULT.names[:9] == (
        "-O0", "-O1", "-O2", "-O3", "-Og", "-Os", "-Oz", "-ftree-vectorize", "-fno-tree-vectorize"
    )  # fmt: skip


def test_moving_stops_at_both_ends() -> None:
    table = RelativeTable(whole_table(OptionTable("some", [number(50)]), "default"))
    up, down, ten, back = range(4)
    assert table.after([UNSET], down) == (UNSET,)
    assert table.after([UNSET], up) == (0,)
    assert table.after([45], ten) == (50,)
    assert table.after([5], back) == (UNSET,)
    assert table.leading([3], [27]) == [ten, ten, up, up, up, up]
    assert table.leading([27], [UNSET]) == [back, back] + [down] * 8


def test_a_command_line_is_the_names_of_the_actions() -> None:
    line = "gcc-default -Os --param=max-hoist-depth[+10] -fno-gcse"
    assert DEFAULT.commandline(DEFAULT.parse(line)) == line
    with pytest.raises(InvalidCommandline, match=r"max-hoist-depth\[\+10\]"):
        DEFAULT.parse("gcc-default --param=max-hoist-depth[+11]")


@pytest.fixture(scope="module")
def env() -> Iterator[GccEnv]:
    with optarena.make("gcc-v0", benchmark=URI, action_space="default") as made:
        yield made


@needs_gcc
def test_relative_actions_lead_to_a_command_line_beyond_the_list(env: GccEnv) -> None:
    env.reset()
    moves = " ".join(f"--param=max-hoist-depth[{by}]" for by in ("+10", "+10", "-1"))
    steps = f"gcc-default -Os {moves}"
    env.multistep(DEFAULT.parse(steps))
    line = "gcc -Os --param=max-hoist-depth=18 -c program.c -o program.o"
    assert env.observation["command_line"] == line
    assert env.state.commandline == steps
    *_, info = env.step(DEFAULT.names.index("-Os"))
    assert info["action_had_no_effect"]
    index = [option.name for option in DEFAULT.options.options].index("--param=max-hoist-depth=")
    assert env.choices[index] == 18
    wanted = list(env.choices)
    wanted[index] = 7
    env.choices = wanted
    assert env.observation["command_line"] == line.replace("=18", "=7")
    assert env.parameter("choices", ",".join(map(str, wanted))) == ",".join(map(str, wanted))
    assert env.validate().okay()


@needs_gcc
def test_choices_that_no_action_leads_to_are_refused(env: GccEnv) -> None:
    env.reset()
    env.step(DEFAULT.names.index("-Os"))
    taken_away = [UNSET] * len(env.choices)
    with pytest.raises(InvalidInput, match=r"-O cannot be set so .* no action takes it away again"):
        env.choices = taken_away
    far = list(env.choices)
    far[far.index(UNSET, 100)] = UNSET
    unbounded = next(i for i, one in enumerate(DEFAULT.options.options) if one.whole == (0, 2**31 - 1))
    far[unbounded] = 2**31 - 1
    with pytest.raises(InvalidInput, match="the choices take more than 10000 actions"):
        env.choices = far
    for index in [i for i, one in enumerate(DEFAULT.options.options) if one.whole == (0, 2**31 - 1)][:2]:
        far[index] = 9_000_000
    with pytest.raises(InvalidInput, match="the choices take more than 10000 actions"):
        env.parameter("choices", ",".join(map(str, far)))
    with pytest.raises(InvalidInput, match="Give an integer from -1 to 2147483647"):
        env.choices = [*far[:unbounded], 2**31, *far[unbounded + 1 :]]
    assert env.observation["command_line"] == "gcc -Os -c program.c -o program.o"


@needs_gcc
def test_unsafe_options_have_an_environment_that_no_board_takes() -> None:
    spec = environment_spec("gcc-unsafe-v0")
    assert spec.digest != environment_spec("gcc-v0").digest
    line = "gcc -Ofast -ffast-math -fpack-struct=1 -ftrapv -c program.c -o program.o"
    with pytest.raises(InvalidCommandline, match="is not allowed"):
        CHOICES.parse(line)
    assert UNSAFE_CHOICES.commandline(UNSAFE_CHOICES.parse(line)) == line
    with optarena.make("gcc-unsafe-v0", benchmark=URI) as env:
        env.reset()
        env.multistep(UNSAFE_CHOICES.parse(line))
        assert env.observation["command_line"] == line
        assert env.observation["load_size_bytes"] > env.observation["load_size_bytesOz"]
    board = replace(CODESIZE, slug="unsafe", environment=spec.slug)
    with pytest.raises(InvalidInput, match="gcc-unsafe-v0"):
        optarena.register(boards=[board])


KERNELS = "gcc-kernels-v0"
SUDOKU = f"benchmark://{KERNELS}/sudoku"


def test_they_are_the_programs_of_the_datasets_that_this_build_made(monkeypatch: pytest.MonkeyPatch) -> None:
    known = session.known_programs()
    assert {one.sha256 for one in datasets()[KERNELS]} <= known
    assert not {one.sha256 for one in datasets()["programs-smoke-v0"]} & known
    monkeypatch.setattr(pinned, "PROGRAMS", {**pinned.PROGRAMS, "cc1": "0" * 64})
    assert not session.known_programs()


@pytest.mark.soak
@needs_gcc
def test_each_kernel_would_pass_the_check(tmp_path: Path) -> None:
    for benchmark in datasets()[KERNELS]:
        Compiler(pinned_gcc(), tmp_path / benchmark.sha256, benchmark.program()).check()


@needs_gcc
def test_only_unknown_programs_are_parsed_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[bytes] = []
    monkeypatch.setattr(Compiler, "check", lambda self: parsed.append(self._units[0].data))
    GccSession.preload()
    source = datasets().benchmark(SUDOKU).program()
    for session_type, program in ((GccSession, source), (GccSession, source + b"\n")):
        benchmark = pb.Benchmark(uri=SUDOKU, program=pb.File(contents=program))
        session_type(tmp_path, session_type.action_spaces[0], benchmark).close()
    assert parsed == [source + b"\n"]
    assert not OtherGccSession.known, "another GCC may refuse what the pinned one compiles"


@needs_gcc
def test_a_program_is_not_believed_for_its_name() -> None:
    named: Any = replace(datasets().benchmark(SUDOKU), load=lambda: b"not C", sha256="")
    with optarena.make("gcc-v0") as env, pytest.raises(InvalidInput, match=r"GCC cannot compile|sha256"):
        env.reset(options={"benchmark": named})


MAIN = b"""int puts(const char *);
extern int lent(int) __attribute__((visibility("internal")));
int main(void) { puts("two units"); return lent(3); }
"""
OTHER = b"""int missing_function(void);
__attribute__((visibility("internal"))) int lent(int x) { return x * 2 + 1; }
int dead(int x) { return missing_function() + x; }
"""
UNITS = (Unit("one/main.c", MAIN), Unit("two/other.c", OTHER))
OZ = "gcc -Oz -c program.c -o program.o"


def of_units(*units: Unit) -> Benchmark:
    workload = Workload(name="all", args=(), stdin=b"", expected_stdout=b"two units\n", exit_code=7)
    return replace(Benchmark.from_bytes("benchmark://mine-v0/two", pack(units)), workloads=(workload,))


def chosen(text: str = OZ) -> list[Any]:
    return list(CHOICES.parse(text))


def test_a_container_has_one_form_which_is_known_by_its_beginning() -> None:
    packed = pack(UNITS)
    assert unpack(packed) == UNITS
    assert packed == MAGIC + b"// unit %d one/main.c\n" % len(MAIN) + MAIN + (
        b"// unit %d two/other.c\n" % len(OTHER) + OTHER
    )
    assert is_container(packed)
    assert not is_container(MAIN)
    assert (media_type(packed), suffix_of(MEDIA_TYPE)) == (MEDIA_TYPE, SUFFIX)
    hidden = Unit("one.c", b'char *s = "\\\n// unit 3 two.c\n";\n')
    assert unpack(pack([hidden])) == (hidden,), "the length counts, not what a unit contains"


@pytest.mark.parametrize(
    ("container", "problem"),
    [
        (b"int main(void) {}", "it does not begin with '// optarena: translation units, format 1'"),
        (MAGIC, f"it has 0 units, and may have 1 to {MAX_UNITS}"),
        (MAGIC + b"int x;\n", "byte 41 does not begin a line of the form '// unit BYTES NAME'"),
        (MAGIC + b"// unit 07 a.c\nint x;\n", "byte 41 does not begin a line"),
        (MAGIC + b"// unit 7 ../a.c \nint x;\n", "byte 41 does not begin a line"),
        (MAGIC + b"// unit 8 a.c\nint x;\n", "the unit a.c does not end with a line after its 8 bytes"),
        (MAGIC + b"// unit 6 a.c\nint x;\n", "the unit a.c does not end with a line after its 6 bytes"),
        (MAGIC + 2 * b"// unit 7 a.c\nint x;\n", "it has two units a.c"),
        (MAGIC + b"// unit 7 %s\nint x;\n" % (b"u" * 201), "has 201 bytes, and may have 200"),
        (
            MAGIC + b"".join(b"// unit 1 u%d\n\n" % number for number in range(MAX_UNITS + 1)),
            f"it has {MAX_UNITS + 1} units",
        ),
    ],
)
def test_what_is_no_container_is_refused_with_the_place(container: bytes, problem: str) -> None:
    with pytest.raises(InvalidInput, match=problem):
        unpack(container)


@needs_gcc
def test_units_are_linked_without_what_main_does_not_reach(tmp_path: Path) -> None:
    compiler = Compiler(pinned_gcc(), tmp_path, pack(UNITS))
    compiler.check()
    assembly = compiler.assembly(["-Oz"])
    assert [unit.name for unit in unpack(assembly)] == ["one/main.c.s", "two/other.c.s"]
    code = compiler.object_file(assembly)
    assert elf.section_bytes(code, ".text.lent") > 0
    assert elf.section_bytes(code, ".text.dead") == 0
    assert code == elf.with_internal_hidden(code)
    again = Compiler(pinned_gcc(), tmp_path / "elsewhere", pack(UNITS))
    assert again.object_file(again.assembly(["-Oz"])) == code
    assert [unit.name for unit in unpack(again.rtl(["-Oz"]))] == ["one/main.c.rtl", "two/other.c.rtl"]


@needs_gcc
def test_a_unit_without_functions_has_an_empty_place_in_the_rtl(tmp_path: Path) -> None:
    data = Unit("data.c", b"const int table[] = {1, 2};\n")
    main, other = unpack(Compiler(pinned_gcc(), tmp_path, pack((UNITS[0], data))).rtl(["-O2"]))
    assert b"main" in main.data
    assert other == Unit("data.c.rtl", b"\n")


@needs_gcc
def test_errors_name_the_units_and_not_their_files(tmp_path: Path) -> None:
    wrong = Unit("two/wrong.c", b'void never(void) { __asm__("no_such_instruction"); }\n')
    twice = Unit("two/twice.c", b"int main(void) { return 0; }\n")
    compiler = Compiler(pinned_gcc(), tmp_path / "wrong", pack((UNITS[0], wrong)))
    with pytest.raises(ToolFailed, match=r"two/wrong\.c:1: Error: no such instruction") as raised:
        compiler.object_file(compiler.assembly(["-O2"]))
    assert "unit-" not in str(raised.value)
    compiler = Compiler(pinned_gcc(), tmp_path / "twice", pack((twice, *UNITS)))
    with pytest.raises(InvalidInput, match=r"two/twice\.c\.o:.* first defined here") as refused:
        compiler.object_file(compiler.assembly(["-O2"]))
    assert "unit-" not in str(refused.value)


@needs_gcc
def test_a_folder_that_was_removed_is_made_again(tmp_path: Path) -> None:
    compiler = Compiler(pinned_gcc(), tmp_path / "folder", pack(UNITS))
    assembly = compiler.assembly(["-Oz"])
    code = compiler.object_file(assembly)
    shutil.rmtree(tmp_path / "folder")
    assert compiler.object_file(assembly) == code


@needs_gcc
def test_a_compiler_that_cannot_run_is_not_the_fault_of_the_program(tmp_path: Path) -> None:
    gone = replace(pinned_gcc(), programs={"cc1": tmp_path / "gone"}, loader=())
    with pytest.raises(ToolFailed, match="gone cannot be started"):
        Compiler(gone, tmp_path / "folder", MAIN).check()


@needs_gcc
def test_a_program_of_units_is_verified_in_the_sandbox() -> None:
    benchmark = of_units(*UNITS)
    result = replay(environment="gcc-v0", benchmark=benchmark, actions=chosen())
    assert result.ok, result.detail
    with optarena.make("gcc-v0", sandbox=False, benchmark=benchmark) as env:
        env.reset(options={"reward_space": None})
        env.multistep(chosen())
        assert result.metrics["load_size_bytes"] == env.observation["load_size_bytes"]
        assert env.observation["source"] == benchmark.program().decode()
        assert env.observation["asm"].startswith(MAGIC.decode())


@needs_gcc
@pytest.mark.parametrize(
    ("units", "problem"),
    [
        (
            (UNITS[0], Unit("b.c", b"int x = y;\n")),
            "GCC cannot compile the program: b.c:1:9: error: 'y' undeclared",
        ),
        ((UNITS[1],), "The units of the program cannot be linked: .*a defined symbol root"),
        ((*UNITS, Unit("three.c", MAIN)), r"cannot be linked: .*three\.c\.o:.* multiple definition of"),
        ((Unit("a.c", b'#include "b.c"\nint main(void) {}\n'), Unit("b.c", b"\n")), "stray '#'"),
    ],
)
def test_a_unit_that_does_not_compile_is_refused_at_once(units: tuple[Unit, ...], problem: str) -> None:
    with optarena.make("gcc-v0") as env, pytest.raises(InvalidInput, match=problem):
        env.reset(options={"benchmark": Benchmark.from_bytes("benchmark://mine-v0/bad", pack(units))})


@needs_gcc
def test_units_are_linked_only_when_an_object_file_is_needed() -> None:
    without_main = Benchmark.from_bytes("benchmark://mine-v0/bad", pack((UNITS[1],)))
    with optarena.make("gcc-v0") as env:
        env.reset(options={"benchmark": without_main, "reward_space": None, "observation_space": "asm"})
        env.multistep(chosen())
        with pytest.raises(InvalidInput, match=r"cannot be linked: .*Define main in one unit") as refused:
            env.observe("obj_size")
        assert refused.value.value == "obj_size"
        assert "lent" in env.observe("asm")


@needs_gcc
def test_a_measured_replay_times_the_program_beside_its_o3() -> None:
    result = replay(environment="gcc-runtime-v0", benchmark=of_units(*UNITS), actions=chosen())
    assert result.ok, result.detail
    assert result.metrics["runtime_seconds"] > 0
    assert result.metrics["reference_seconds"] > 0
    assert result.metrics["speedup"] > 0
    with optarena.make("gcc-runtime-v0", benchmark=of_units(*UNITS)) as env:
        env.reset()
        assert env.observation["RuntimePointEstimate"] > 0


def test_what_is_made_of_units_with_the_longest_names_can_be_read() -> None:
    units = (Unit("u" * MAX_NAME, b"int main(void) { return 0; }\n"), Unit("b.c", b"int x;\n"))
    with optarena.make("gcc-v0") as env:
        env.reset(options={"benchmark": Benchmark.from_bytes("benchmark://mine-v0/long", pack(units))})
        assert f"{'u' * MAX_NAME}.s" in env.observe("asm")
        assert env.observe("obj_size") > 0
