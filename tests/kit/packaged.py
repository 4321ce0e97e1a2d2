"""A real source package for tests: an archive where pip's settings point to, and a suite made of it."""

from __future__ import annotations

import hashlib
import io
import tarfile
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

FILES = {
    "src/sum.c": '#include "sum.h"\n#include <assert.h>\n'
    "unsigned long sum(unsigned n) { unsigned long t = 0; assert(n < STEPS);"
    " for (unsigned i = 0; i <= n; i++) t += i * (unsigned long) i; return t; }\n"
    "unsigned long unused(unsigned n) { return sum(n) + __LINE__; }\n",
    "src/gcd.c": '#include "sum.h"\nunsigned gcd(unsigned a, unsigned b) {'
    " while (b) { unsigned r = a % b; a = b; b = r; } return a; }\n"
    + "".join(
        f"unsigned mix{n}(unsigned a, unsigned b) {{ unsigned t = {n}; for (unsigned i = a; i < b; i++)"
        f" t = t * {2 * n + 3}u + gcd(i, b); return t; }}\n"
        for n in range(3)
    ),
    "src/copy.c": "",  # of gcd.c under other names, see below
    "include/sum.h": '#include "config.h"\nunsigned long sum(unsigned n);\n'
    "unsigned gcd(unsigned a, unsigned b);\n",
    "include/config.h.in": "#define STEPS @STEPS@\n#cmakedefine01 FAST\n#cmakedefine SLOW\n",
    "LICENSE": "As you like.\n",
}
FILES["src/copy.c"] = FILES["src/gcd.c"].replace("gcd(", "divisor(").replace("mix", "blend")
DRIVER = """#include "bench.h"
#include <stdio.h>
#include "sum.h"
int main(int argc, char **argv) {
  (void)argv;
  printf("%lu %u %d\\n", sum(STEPS / 2 + (unsigned)argc), gcd(48u * (unsigned)argc, 36u), BENCH + FAST);
  return 0;
}
"""
TOOLCHAIN = """
[toolchain]
clang = "22.1.8"
llvm = "22.1.8"
target = "x86_64-unknown-linux-gnu"
cpu = "x86-64"
flags = [
    "--target=x86_64-unknown-linux-gnu",
    "-std=gnu17",
    "-fno-ident",
    "-Oz",
    "-Xclang",
    "-disable-llvm-passes",
]
headers = "clib"
header_folders = ["include"]
"""
# Enough of a C library's declarations for the programs of these tests.
HEADERS = {
    "include/stdio.h": "int printf(const char *, ...);\n",
    "include/assert.h": "void __assert_fail(const char *, const char *, unsigned, const char *);\n"
    '#define assert(x) ((x) ? (void)0 : __assert_fail(#x, __FILE__, __LINE__, "f"))\n',
}


def archive(files: dict[str, str], *, top: str, extra: tuple[tarfile.TarInfo, ...] = ()) -> bytes:
    """A ``.tar.gz`` with these files below one folder, and whatever else is given."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for name, text in files.items():
            info = tarfile.TarInfo(f"{top}/{name}")
            info.size = len(text.encode())
            tar.addfile(info, io.BytesIO(text.encode()))
        for info in extra:
            tar.addfile(info, io.BytesIO(b"x" * info.size) if info.isreg() else None)
    return out.getvalue()


@dataclass(frozen=True)
class Shelf:
    """A folder of archives, which is all the package index there is, and the suites made of them."""

    index: Path
    suites: Path

    def put(self, name: str, content: bytes) -> str:
        """Add version 1.0 of a package; the suite's table of it."""
        file = self.index / f"{name}-1.0.tar.gz"
        file.write_bytes(content)
        return (
            f'\n[[package]]\nname = "{name}"\nversion = "1.0"\narchive = "{file.name}"\n'
            f'sha256 = "{hashlib.sha256(content).hexdigest()}"\nsize_bytes = {len(content)}\n'
        )

    def suite(self, *, program: str = "", head: str = "") -> Path:
        """Write the suite ``sums-v0``, of one program with a driver; its folder."""
        folder = self.suites / "sums-v0"
        (folder / "drivers").mkdir(parents=True, exist_ok=True)
        (folder / "drivers/sums.c").write_text(DRIVER)
        (folder / "drivers/bench.h").write_text("#define BENCH 40\n")
        runs = "".join(f'[[program.workload]]\nname = "run{n}"\nargs = {["x"] * n}\n' for n in range(3))
        text = (
            'schema = 1\nname = "sums-v0"\ntitle = "Sums"\ndescription = "For tests."\nlicence = "MIT"\n'
            + head
            + TOOLCHAIN
            + self.put("sums", archive(FILES, top="sums-1.0"))
            + self.put("clib", archive(HEADERS, top="clib-1.0"))
            + '\n[[program]]\nname = "sums"\ntitle = "Sums"\ndescription = "Adds."\ndomain = "arithmetic"\n'
            'language = "C"\npackage = "sums"\nlicence = "MIT OR Apache-2.0"\nlicence_files = ["LICENSE"]\n'
            'upstream = "https://example.org/sums"\nsplit = "test"\ntags = ["small"]\n'
            'driver = "drivers/sums.c"\ninclude = ["include"]\nflags = ["-DMORE"]\n'
            f'files = ["src/sum.c", "src/gcd.c"]\n{program}'
            '\n[[program.header]]\npath = "config.h"\ntemplate = "include/config.h.in"\n'
            f'values = {{ STEPS = "1000", FAST = "1" }}\n\n{runs}'
        )
        (folder / "suite.toml").write_text(text)
        return folder
