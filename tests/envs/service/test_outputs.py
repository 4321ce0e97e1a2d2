"""Files in memory for what processes write."""

from __future__ import annotations

import os

from optarena.service import outputs


def test_the_tail_is_the_end() -> None:
    with outputs.stderr_file() as file:
        assert outputs.tail(file) == ""
        file.write(b"a" * 5000 + b"end")
        assert outputs.tail(file) == "a" * 4093 + "end"


def test_a_large_file_is_cut_and_written_on_at_its_end() -> None:
    with outputs.stderr_file() as file:
        file.write(b"a" * (1 << 20))
        outputs.trim(file)
        assert os.fstat(file.fileno()).st_size == 1 << 20
        file.write(b"b")
        outputs.trim(file)
        file.write(b"c")
        assert os.fstat(file.fileno()).st_size == (1 << 16) + 1
        assert outputs.tail(file).endswith("aabc")
