"""The plugin of a recipe: its C source with the recipe's rules compiled in, built by the clang that loads it.

Its name has a hash of the source: compiler caches look at the names of plugins, and not into them.
"""

from __future__ import annotations

import hashlib
import re
import tempfile
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Final

from optarena.datasets.store import write_whole
from optarena.deploy.recipe import LOADED, UNIT, Recipe
from optarena.errors import ToolMissing
from optarena.llvm import toolchain
from optarena.llvm.toolchain import find_clang

__all__ = ("BUILD", "build_plugin", "find_clang", "level_flags", "plugin_name", "plugin_source")

BUILD: Final = ("-std=c11", "-O2", "-shared", "-fPIC", "-fvisibility=hidden", "-w")
SECONDS: Final = 120.0
_UNUSUAL: Final = re.compile(r"[^ -~]|[\"\\?]")
_ATTRIBUTES: Final = {"Oz": "minsize", "Os": "optsize"}


def plugin_source(recipe: Recipe) -> str:
    """The plugin's C source, with the rules of the recipe for single files."""
    rules = recipe.of_scope(UNIT)
    level, attribute = _quoted(recipe.level), _quoted(_ATTRIBUTES.get(recipe.level, ""))
    lines = [
        f"#define MAJOR {toolchain.CLANG_MAJOR}",
        f"#define LEVEL {level}",
        f"#define LEVEL_ATTRIBUTE {attribute}",
        f"#define LOADED_BYTES {int(recipe.metric == LOADED)}",
        f"#define HASHED {int(any(one.sha256 for one in rules))}",
        f"static const char required[] = {_quoted(recipe.required)};",
        "struct Rule { const char *source, *sha256; int count; const char *const *pipelines; };",
    ]
    for index, rule in enumerate(rules):
        texts = ",\n  ".join(_quoted(one.pipeline) for one in rule.sequences)
        lines.append(f"static const char *const pipelines_{index}[] = {{\n  {texts}}};")
    lines.append("static const struct Rule rules[] = {")
    for index, rule in enumerate(rules):
        named = f"{_quoted(rule.source)}, {_quoted(rule.sha256)}"
        lines.append(f"  {{{named}, {len(rule.sequences)}, pipelines_{index}}},")
    code = resources.files(__package__).joinpath("plugin.c").read_text("utf-8")
    return "\n".join([*lines, "};", "", code])


def plugin_name(recipe: Recipe, source: str) -> str:
    """The name of the plugin's files without a suffix: the level, and a hash."""
    return f"optarena-{recipe.level}-{hashlib.sha256(source.encode()).hexdigest()[:12]}"


def level_flags(level: str) -> tuple[str, ...]:
    """What clang needs beside the plugin: the attributes of the level, and none of its own passes."""
    return f"-{level}", "-Xclang", "-disable-llvm-passes"


def build_plugin(recipe: Recipe, folder: Path, clang: Path) -> Path:
    """Write the plugin's source and the built plugin into a folder, and return the latter's path.

    Raises:
        ToolMissing: This clang cannot build the plugin, or does not load it.
        OSError: The files cannot be written.
    """
    source = plugin_source(recipe)
    name = plugin_name(recipe, source)
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / f"{name}.c", source.encode())
    with tempfile.TemporaryDirectory(prefix="optarena-plugin-") as place:
        built, given = Path(place, f"{name}.so"), Path(place, "plugin.c")
        given.write_text(source, encoding="utf-8")
        _run([str(clang), *BUILD, str(given), "-o", str(built)], Path(place))
        tried = ["-x", "c", "/dev/null", "-c", "-o", str(Path(place, "empty.o"))]
        _run([str(clang), *level_flags(recipe.level), f"-fpass-plugin={built}", *tried], Path(place))
        write_whole(folder / f"{name}.so", built.read_bytes())
    return folder / f"{name}.so"


def _run(command: Sequence[str], folder: Path) -> None:
    try:
        ended = toolchain.run(command, folder=folder, seconds=SECONDS)
    except TimeoutError as error:
        problem = str(error)
    else:
        if not ended.code:
            return
        problem = ended.problem
    message = f"{command[0]} cannot build and load the plugin: {problem}."
    remedy = (
        "Use a clang 22 that is linked to a shared libLLVM, such as that of `pip install 'optarena[build]'`; "
        "with others, --format link and --format shell work without a plugin."
    )
    raise ToolMissing(message, field="clang", value=command[0], remedy=remedy)


def _quoted(text: str) -> str:
    # A text as a literal of C.
    plain = _UNUSUAL.sub(lambda found: "".join(f"\\{one:03o}" for one in found[0].encode()), text)
    return f'"{plain}"'
