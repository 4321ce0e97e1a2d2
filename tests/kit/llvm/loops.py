"""The tables of loops and calls, and functions, by name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from optarena.llvm.loops.columns import CALL_SITE_COLUMNS, LOOP_COLUMNS
from optarena.llvm.loops.tables import call_site_names, call_sites, loop_names, loop_rows

if TYPE_CHECKING:
    from optarena.llvm.module import Module


def loops(module: Module) -> dict[str, dict[str, int]]:
    """The rows of the loop table, by name."""
    names, width = loop_names(module), len(LOOP_COLUMNS)
    values = loop_rows(module, len(names))
    return {
        name: dict(zip(LOOP_COLUMNS, values[row * width : (row + 1) * width], strict=True))
        for row, name in enumerate(names)
    }


def sites(module: Module) -> dict[str, dict[str, int]]:
    """The rows of the call table, by name."""
    rows = (dict(zip(CALL_SITE_COLUMNS, site.row, strict=True)) for site in call_sites(module))
    return dict(zip(call_site_names(module), rows, strict=True))


def functions(module: Module) -> dict[str, str]:
    """The text of each function, without the numbers of metadata and of groups of attributes."""
    text = re.sub(r"[!#][0-9]+", "", module.text())
    bodies = re.findall(r"^define [^\n]*@(\w+)\(.*?^}", text, re.MULTILINE | re.DOTALL)
    whole = re.findall(r"^define .*?^}", text, re.MULTILINE | re.DOTALL)
    return dict(zip(bodies, whole, strict=True))
