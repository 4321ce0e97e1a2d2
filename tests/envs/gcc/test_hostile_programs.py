"""Programs that would read files through GCC, or make it fail; confined or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import optarena
from optarena.errors import ServiceError
from optarena.isolation import sandbox as sandbox_module
from tests.kit.gcc import needs_gcc

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = needs_gcc

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
