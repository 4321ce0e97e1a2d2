"""Generated headers: a package's template with its names filled in, as CMake would."""

from __future__ import annotations

import pytest

from datasets.builder.preprocessing import filled


@pytest.mark.parametrize(
    ("template", "made"),
    [
        ("#define A @A@ @B@", "#define A 7 0"),
        ("#cmakedefine01 A", "#define A 7"),
        ("#cmakedefine01 B", "#define B 0"),
        ("  # cmakedefine A 5", "  # define A 5"),
        ("#cmakedefine B 5\nint x;", "/* #undef B */\nint x;"),
        ("#cmakedefine A @A@", "#define A 7"),
        ("mail@example.org", "mail@example.org"),
    ],
)
def test_a_template_is_filled_in(template: str, made: str) -> None:
    assert filled(template, {"A": "7"}) == made
