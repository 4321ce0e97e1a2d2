"""The LLVM of llvmlite: parses NVPTX IR, runs pipelines on it and makes PTX.

llvmlite has a few dozen passes in Python, and no pipelines as text. Its shared library contains LLVM's whole
pass builder, but exports none of it: ``PassBuilder::parsePassPipeline`` is looked up in the library's own
table of symbols, and called with the builder and the pass manager that llvmlite makes. So every pass of LLVM
sees the costs of the real NVPTX target machine. The passes of the wheel ``karellen-llvm-core`` would not: it
is built for x86 alone.

Some passes abort the process, so modules belong into session processes.
"""

from __future__ import annotations

import ctypes
import mmap
import struct
from functools import cache
from pathlib import Path
from typing import Any, Final

import llvmlite
import llvmlite.binding as llvm
from llvmlite.binding import ffi

from optarena.errors import InvalidInput, PlatformNotSupported, ServiceError
from optarena.gpu_kernels import pinned

# Error PassBuilder::parsePassPipeline(ModulePassManager &, StringRef)
_PARSE: Final = (
    b"_ZN4llvm11PassBuilder17parsePassPipelineERNS_11PassManagerINS_6ModuleENS_15AnalysisManagerIS2_"
    b"JEEEJEEENS_9StringRefE"
)
_COUNT: Final = b"_ZNK4llvm6Module19getInstructionCountEv"  # unsigned Module::getInstructionCount() const
_MESSAGE: Final = b"LLVMGetErrorMessage"
_EXPORTED: Final = b"LLVMPY_CreatePassBuilder"
_CHECKED: Final = 1  # the lowest bit of an llvm::Error says only whether it was looked at
_SYMBOL_TABLE: Final = 2
_SYMBOL_BYTES: Final = 24
_REMEDY: Final = "Install the wheel of llvmlite that OptArena names: pip install 'llvmlite>=0.50,<0.51'."


class Kernels:
    """The loaded library, with the target machine; one for each process."""

    def __init__(self) -> None:
        version = ".".join(map(str, llvm.llvm_version_info))
        if version != pinned.LLVM or not llvmlite.__version__.startswith(f"{pinned.LLVMLITE}."):
            raise PlatformNotSupported(
                f"llvmlite is {llvmlite.__version__} with LLVM {version}, and not {pinned.ENGINE}. {_REMEDY}"
            )
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        llvm.initialize_native_asmparser()
        path = Path(ffi.__file__).with_name("libllvmlite.so")
        try:
            library = ctypes.CDLL(str(path))
            addresses = _addresses(path, (_PARSE, _COUNT, _MESSAGE, _EXPORTED))
        except (OSError, ValueError, struct.error) as error:
            raise PlatformNotSupported(f"llvmlite's library cannot be used: {error}. {_REMEDY}") from error
        exported = ctypes.cast(library[_EXPORTED.decode()], ctypes.c_void_p).value or 0
        base = exported - addresses[_EXPORTED]
        pointer = ctypes.c_void_p
        parse = ctypes.CFUNCTYPE(pointer, pointer, pointer, pointer, ctypes.c_char_p, ctypes.c_size_t)
        self._parse = parse(base + addresses[_PARSE])
        self._count = ctypes.CFUNCTYPE(ctypes.c_uint, pointer)(base + addresses[_COUNT])
        self._message = ctypes.CFUNCTYPE(pointer, pointer)(base + addresses[_MESSAGE])
        target = llvm.Target.from_triple(pinned.TRIPLE)
        self.machine: Any = target.create_target_machine(
            cpu=pinned.ARCHITECTURE, features=pinned.FEATURES, opt=pinned.OPTIMISATION
        )

    def count(self, module: Any) -> int:  # noqa: ANN401 # llvmlite has no types
        # llvmlite's own iterators are slow.
        return int(self._count(_handle(module)))

    def fill(self, manager: Any, builder: Any, pipeline: str) -> None:  # noqa: ANN401 # llvmlite has no types
        text, error = pipeline.encode(), ctypes.c_void_p()
        self._parse(ctypes.addressof(error), _handle(builder), _handle(manager), text, len(text))
        if failed := (error.value or 0) & ~_CHECKED:
            message = ctypes.string_at(self._message(failed)).decode(errors="replace")
            raise InvalidInput(
                f"LLVM: {message}", field="pipeline", value=pipeline[:200], remedy="Correct it."
            )


def _handle(owner: Any) -> int | None:  # noqa: ANN401 # llvmlite has no types
    return ctypes.cast(owner._ptr, ctypes.c_void_p).value  # noqa: SLF001 # llvmlite's handle


@cache
def kernels() -> Kernels:
    loaded = Kernels()
    probe = KernelModule(
        'target triple = "nvptx64-nvidia-cuda"\ndefine void @probe() {\n  ret void\n}\n', loaded
    )
    probe.run("function(sroa)")
    return loaded


class KernelModule:
    """One kernel's module, in a context of its own; ``InvalidInput`` if the text is not valid IR."""

    def __init__(self, text: str, library: Kernels | None = None) -> None:
        self._library = library or kernels()
        try:
            self._module: Any = llvm.parse_assembly(text, llvm.create_context())
            self._module.verify()
        except RuntimeError as error:
            raise InvalidInput(
                f"The kernel is not valid LLVM IR: {str(error)[:500]}",
                field="program",
                remedy="Give textual IR of LLVM 22 for nvptx64-nvidia-cuda.",
            ) from error

    def run(self, pipeline: str) -> None:
        # Passes as for `opt -passes=`; after an error in parsing, the module is unchanged.
        options = llvm.create_pipeline_tuning_options(pinned.OPTIMISATION)
        builder = llvm.create_pass_builder(self._library.machine, options)
        manager = llvm.create_new_module_pass_manager()
        try:
            self._library.fill(manager, builder, pipeline)
            manager.run(self._module, builder)
        finally:
            manager.close()
            builder.close()
            options.close()

    def problem(self) -> str:
        try:
            self._module.verify()
        except RuntimeError as error:
            return str(error)
        return ""

    def text(self) -> str:
        return str(self._module)

    def bitcode(self) -> bytes:  # equal if nothing has changed
        return bytes(self._module.as_bitcode())

    def instruction_count(self) -> int:
        return self._library.count(self._module)

    def ptx(self) -> str:
        copy = self._module.clone()  # the code generator changes what it compiles
        try:
            return str(self._library.machine.emit_assembly(copy))
        except RuntimeError as error:
            raise ServiceError(f"LLVM cannot make PTX of the kernel: {error}") from error
        finally:
            copy.close()

    def close(self) -> None:
        self._module.close()


def _addresses(path: Path, names: tuple[bytes, ...]) -> dict[bytes, int]:
    # Of symbols in a shared library, exported or not, from its table of symbols.
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as data:
        table, strings = _tables(data)
        return {name: _address(data, table, strings, name) for name in names}


def _tables(data: mmap.mmap) -> tuple[tuple[int, int], tuple[int, int]]:
    # Begin and end of the table of symbols and of its names.
    (start,), (size, count, _) = struct.unpack_from("<Q", data, 40), struct.unpack_from("<HHH", data, 58)
    headers = [struct.unpack_from("<IIQQQQII", data, start + size * index) for index in range(count)]
    for _, kind, _, _, offset, length, link, _ in headers:
        if kind == _SYMBOL_TABLE:
            names = headers[link]
            return (offset, offset + length), (names[4], names[4] + names[5])
    raise ValueError("it has no table of symbols, so it was stripped")


def _address(data: mmap.mmap, table: tuple[int, int], strings: tuple[int, int], name: bytes) -> int:
    place = data.find(b"\0" + name + b"\0", *strings) + 1
    wanted = struct.pack("<I", place - strings[0])
    entry = data.find(wanted, *table) if place else -1
    while entry >= 0 and (entry - table[0]) % _SYMBOL_BYTES:
        entry = data.find(wanted, entry + 1, table[1])
    if entry < 0:
        raise ValueError(f"it does not contain {name.decode()}")
    (address,) = struct.unpack_from("<Q", data, entry + 8)
    return int(address)
