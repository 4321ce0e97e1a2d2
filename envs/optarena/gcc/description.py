"""GCC as plain data. Registered when it is imported."""

from __future__ import annotations

from optarena import register

register(commands={"gcc": "optarena.gcc.commands:gcc"})
