"""Target machines, the just-in-time compiler, object files and loaded bytes."""

from __future__ import annotations

import ctypes
import gc
import shutil
import subprocess
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

import optarena
from optarena.errors import InvalidInput, ServiceError
from optarena.llvm import module as module_module
from optarena.llvm import pinned
from optarena.llvm.module import Jit, Module, create_machine, optimised
from optarena.llvm.observations import loaded_size, position_independent_code
from optarena.machine_code import elf
from optarena.machine_code.elf import executable_bytes

OTHER = "x86_64-pc-linux-gnu"


@pytest.fixture(autouse=True)
def _none_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module_module, "_idle", defaultdict(list))


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
        text, used = module.text(), module.machine
    with Module.parse(text.replace(pinned.TRIPLE, OTHER).encode()) as module:
        assert module.machine != used
    assert waiting() == 2


def test_few_machines_wait(mixed: bytes) -> None:
    with ExitStack() as stack:
        assert all(stack.enter_context(Module.parse(mixed)).machine for _ in range(4))
    assert waiting() == 2


def test_threads_do_not_share_a_machine(mixed: bytes) -> None:
    def digest(_: int) -> str:
        with Module.parse(mixed) as module:
            module.run("default<O2>")
            return module.digest()

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(digest, range(16)))) == 1
    assert waiting() <= 2


def test_an_unknown_triple_is_refused() -> None:
    with pytest.raises(InvalidInput, match="nowhere"):
        create_machine("nowhere-linux")


TWICE = b"""target triple = "x86_64-unknown-linux-gnu"
declare i32 @given(i32)
define i32 @twice(i32 %x) {
  %a = call i32 @given(i32 %x)
  %b = mul i32 %a, 2
  ret i32 %b
}
"""
INT_FUNCTION = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)


def test_a_defined_symbol_is_called() -> None:
    given = INT_FUNCTION(lambda x: x + 1)
    jit = Jit()
    jit.define({"given": ctypes.cast(given, ctypes.c_void_p).value or 0})
    jit.add_module(Module.parse(TWICE))
    assert INT_FUNCTION(jit.address("twice"))(20) == 42
    jit.close()
    jit.close()


def test_a_missing_symbol_is_named_and_the_process_lives() -> None:
    jit = Jit()
    jit.add_module(Module.parse(TWICE))
    with pytest.raises(ServiceError, match="given"):
        jit.address("twice")
    with pytest.raises(ServiceError, match="other"):
        jit.address("other")
    jit.close()


def test_compilers_free_what_they_own() -> None:
    def cycle() -> None:
        jit = Jit()
        jit.add_library_symbols(Path("libc.so.6"))
        jit.add_module(Module.parse(TWICE.replace(b"@given", b"@abs")))
        assert jit.address("twice")
        jit.close()

    def growth() -> int:
        pages = []
        for number in (10, 40):
            for _ in range(number):
                cycle()
            gc.collect()
            pages.append(int(Path("/proc/self/statm").read_text().split()[1]))
        return (pages[1] - pages[0]) * 4096

    assert any(growth() < 1_000_000 for _ in range(3))  # other threads of the process may grow, too


def test_other_files_are_refused() -> None:
    with pytest.raises(ValueError, match="ELF"):
        executable_bytes(b"MZ" + bytes(100))


def test_only_sections_with_instructions_count(mixed: bytes, tmp_path: Path) -> None:
    tool = shutil.which("size")
    if tool is None:
        pytest.skip("binutils are not installed")
    with Module.parse(mixed) as module:
        code = module.object_code()
    file = tmp_path / "mixed.o"
    file.write_bytes(code)
    listing = subprocess.run([tool, "-A", file], check=True, capture_output=True, text=True).stdout
    rows = [line.split() for line in listing.splitlines() if line.startswith(".text")]
    assert executable_bytes(code) == sum(int(row[1]) for row in rows) > 0


def test_a_function_in_a_section_of_its_own_counts() -> None:
    text = b'target triple = "x86_64-unknown-linux-gnu"\ndefine void @f()%s { ret void }\n'
    with Module.parse(text % b"") as plain, Module.parse(text % b' section ".cold"') as cold:
        assert cold.text_size() == plain.text_size() > 0


TABLE = b"""target triple = "x86_64-unknown-linux-gnu"
@names = internal constant [2 x ptr] [ptr @one, ptr @two]
@one = internal constant [4 x i8] c"one\\00"
@two = internal constant [4 x i8] c"two\\00"
@counter = internal global i32 7
@zeros = internal global [1000 x i8] zeroinitializer
define ptr @main(i64 %n) {
  %place = getelementptr [2 x ptr], ptr @names, i64 0, i64 %n
  %name = load ptr, ptr %place
  store i32 1, ptr @counter
  store i8 1, ptr @zeros
  ret ptr %name
}
"""


def test_code_is_position_independent(tmp_path: Path) -> None:
    linker = shutil.which("ld")
    if linker is None:
        pytest.skip("binutils are not installed")
    with Module.parse(TABLE) as module:
        text = module.text()
        file = tmp_path / "table.o"
        for code, expected in ((module.object_code(), 1), (position_independent_code(module), 0)):
            file.write_bytes(code)
            command = [linker, "-shared", "-o", str(tmp_path / "out"), str(file)]
            assert subprocess.run(command, check=False, capture_output=True).returncode == expected
        assert module.text() == text


def test_loaded_bytes_are_code_and_data_and_not_zeros() -> None:
    with Module.parse(TABLE) as module:
        code = position_independent_code(module)
        loaded = loaded_size(module)
    data = 2 * 8 + 2 * 4 + 4
    assert loaded == elf.executable_bytes(code) + data


def test_an_environment_observes_what_the_engine_computes() -> None:
    with optarena.make("llvm-loadsize-v0", benchmark="benchmark://kernels-v0/sudoku") as env:
        env.reset()
        program = env.benchmark.program()
        sizes = {}
        for level in ("O0", "Oz"):
            with optimised(program, level) as module:
                sizes[level] = loaded_size(module)
        assert env.observation["ObjectLoadSizeBytes"] == sizes["O0"]
        assert env.observation["ObjectLoadSizeBytesOz"] == sizes["Oz"]
        _, reward, *_ = env.step(env.environment.action_table.names.index("mem2reg"))
        saved = sizes["O0"] - int(env.observation["ObjectLoadSizeBytes"])
        assert saved > 0
        assert reward == pytest.approx(saved / (sizes["O0"] - sizes["Oz"]))


FREE = """
import ctypes
from optarena.llvm.session import LlvmSession

class Heap(ctypes.Structure):
    names = "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost"
    _fields_ = [(name, ctypes.c_size_t) for name in names.split()]

libc = ctypes.CDLL(None)
libc.mallinfo2.restype = Heap
LlvmSession.preload()
LlvmSession.finish_preloading()
heap = libc.mallinfo2()
print(heap.fordblks - heap.keepcost)
"""


def test_programs_are_not_put_into_holes_of_the_heap() -> None:
    done = subprocess.run([sys.executable, "-c", FREE], stdout=subprocess.PIPE, text=True, check=True)
    assert int(done.stdout) < 500_000  # bytes; almost 2,000,000 would be left
