"""Finding and installing the pinned GCC; other GCCs of this machine and of images."""

from __future__ import annotations

import io
import os
import pickle
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from typing import TYPE_CHECKING

import gymnasium
import pytest
from click.testing import CliRunner

import optarena
from optarena import limits
from optarena.errors import InvalidInput, ServiceError, SessionOutOfMemory, SessionTimeout, ToolMissing
from optarena.gcc import build_options, commands, other_session, pinned, toolchain
from optarena.gcc.commands import install_gcc, members
from optarena.gcc.options import CHOICES, SAFE
from optarena.gcc.other_session import DockerToolchain, GccPlace
from optarena.gcc.toolchain import GccToolchain, examine, find
from optarena.isolation.tool_files import sha256_of
from optarena.isolation.tools import ToolFailed, run_tool
from optarena.specs import environment_spec
from tests.kit.gcc import needs_gcc, pinned_gcc

if TYPE_CHECKING:
    from pathlib import Path

    from optarena.gcc.env import GccEnv


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    folder = tmp_path / "a copy"
    folder.mkdir()
    for name, path in pinned_gcc().programs.items():
        shutil.copy2(path.resolve(), folder / name)
    return folder


def package(contents: Mapping[str, bytes], *, link: tuple[str, str] | None = None) -> bytes:
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        for name, content in contents.items():
            member = tarfile.TarInfo(f"./{name}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
        if link is not None:
            member = tarfile.TarInfo(f"./{link[0]}")
            member.type, member.linkname = tarfile.SYMTYPE, link[1]
            archive.addfile(member)
    parts = {"debian-binary": b"2.0\n", "control.tar.xz": b"odd", "data.tar": data.getvalue()}
    archived = b"!<arch>\n"
    for name, content in parts.items():
        archived += f"{name:<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(content):<10}`\n".encode()
        archived += content + b"\n" * (len(content) % 2)
    return archived


def test_the_pinned_build_is_found_and_runs(tmp_path: Path) -> None:
    found = pinned_gcc()
    assert {name: sha256_of(path) for name, path in found.programs.items()} == pinned.PROGRAMS
    (tmp_path / "program.c").write_text("int main(void) { return 42; }\n")
    command = [*found.command("cc1"), *pinned.FRONT_END, "-O2", "program.c", "-o", "-"]
    assert b"movl\t$42, %eax" in run_tool("cc1", command, access=found.access, folder=tmp_path)


def test_a_folder_is_accepted_by_hashes_alone(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPTARENA_GCC", str(copy))
    assert find().programs["cc1"] == copy / "cc1"
    with (copy / "as").open("ab") as file:
        file.write(b"\0")
    with pytest.raises(ToolMissing, match=r"/as is another build \(sha256 .*optarena gcc install"):
        find()
    (copy / "as").unlink()
    with pytest.raises(ToolMissing, match="it has no as"):
        find()
    for nowhere in (str(copy / "nowhere"), "~nobody-of-this-name/gcc"):
        monkeypatch.setenv("OPTARENA_GCC", nowhere)
        with pytest.raises(ToolMissing, match=rf"\$OPTARENA_GCC \({nowhere}\): there is no such folder"):
            find()


def test_a_folder_that_cannot_be_read_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same error as for a folder that is closed to this user; but root may read every folder."""
    folder = f"/{'x' * 300}"
    monkeypatch.setenv("OPTARENA_GCC", folder)
    with pytest.raises(ToolMissing, match=f"{folder}/cc1 cannot be read .File name too long"):
        find()


def test_a_truncated_bundle_is_named(copy: Path) -> None:
    (copy / "libisl.so.23").write_bytes(b"\x7fELF cut off")
    found = examine("the bundle", copy)
    assert isinstance(found, str)
    assert "cannot run on this machine" in found


def test_a_toolchain_is_examined_again_when_one_of_its_files_changes(copy: Path) -> None:
    """Workers ask before each lease, so what has not changed is not run again."""
    assert isinstance(examine("the bundle", copy), GccToolchain)
    [library] = [path for path in pinned_gcc().access.files if path.name.startswith("libisl.so.23")]
    shutil.copy2(library, copy / "libisl.so.23")
    found = examine("the bundle", copy)
    assert isinstance(found, GccToolchain)
    assert examine("the bundle", copy) is found
    assert copy / "libisl.so.23" in found.access.files
    (copy / "libisl.so.23").write_bytes(b"\x7fELF cut off")
    assert "cannot run on this machine" in str(examine("the bundle", copy))


def test_the_installed_one_comes_first(copy: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("OPTARENA_GCC", raising=False)
    monkeypatch.setenv("OPTARENA_SITE_DATA", str(tmp_path / "site"))
    folder = toolchain.install_folder()
    assert folder == tmp_path / "site/toolchains" / f"gcc-{pinned.BUILD}"
    folder.parent.mkdir(parents=True)
    copy.rename(folder)
    assert find().programs["cc1"] == folder / "cc1"


@pytest.fixture
def packages(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    found, folder = pinned_gcc(), tmp_path / "packages"
    folder.mkdir()
    made, places = [], {"ld": "usr/bin/ld"}
    for name, path in found.programs.items():
        file = folder / f"{name}.deb"
        file.write_bytes(package({f"usr/{name}": path.read_bytes()}))
        made.append(
            pinned.ToolchainPackage(
                name=name,
                version="1",
                sha256=sha256_of(file),
                optional=False,
                files={f"usr/{name}": places.get(name, name)},
            )
        )
    absent = pinned.ToolchainPackage(name="libc6", version="1", sha256="0" * 64, optional=True, files={})
    monkeypatch.setattr(pinned, "PACKAGES", (*made, absent))
    return folder


def test_packages_are_unpacked_by_hash(packages: Path, tmp_path: Path) -> None:
    (packages / "as.deb").rename(packages / "some other name.deb")
    (packages / "more.deb").write_bytes(b"not a package, and not asked for")
    before = os.umask(0o077)
    try:
        made = install_gcc(tmp_path / "for all/made", packages, lambda _: None)
    finally:
        os.umask(before)
    assert isinstance(made, GccToolchain)
    found = [tmp_path / "for all", *sorted((tmp_path / "for all").rglob("*"))]
    assert [path.name for path in found] == ["for all", "made", "as", "cc1", "usr", "bin", "ld"]
    assert {path.stat().st_mode & 0o777 for path in found} == {0o755}, "confined processes are other users"


def test_the_command_says_when_what_it_installs_is_not_used(
    packages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPTARENA_GCC", str(tmp_path / "nowhere"))
    arguments = ["install", "--if-missing", "--from", str(packages), "--to", str(tmp_path / "made")]
    done = CliRunner().invoke(commands.gcc, arguments)
    assert done.output.splitlines()[-1] == "It is used if $OPTARENA_GCC names this folder."
    monkeypatch.setenv("OPTARENA_GCC", str(tmp_path / "made"))
    assert CliRunner().invoke(commands.gcc, arguments).output == ""
    again = CliRunner().invoke(commands.gcc, [one for one in arguments if one != "--if-missing"])
    assert again.output == f"{pinned.COMPILER} is in {tmp_path / 'made'}.\n"


def test_a_changed_package_is_not_taken(packages: Path, tmp_path: Path) -> None:
    with (packages / "cc1.deb").open("ab") as file:
        file.write(b"\n")
    with pytest.raises(InvalidInput, match=r"cc1 1 with sha256 .* is not in the folder"):
        install_gcc(tmp_path / "made", packages, lambda _: None)
    with pytest.raises(InvalidInput, match="is not a folder"):
        install_gcc(tmp_path / "made", tmp_path / "nowhere", lambda _: None)
    assert not (tmp_path / "made").exists()


def test_a_folder_with_something_else_is_not_replaced(packages: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "letter").write_text("dear")
    with pytest.raises(InvalidInput, match="has letter, which is not part of a toolchain"):
        install_gcc(home, packages, lambda _: None)
    assert (home / "letter").read_text() == "dear"
    with pytest.raises(InvalidInput, match="is not a folder"):
        install_gcc(home / "letter", packages, lambda _: None)
    (packages / "folder.deb").mkdir()
    install_gcc(tmp_path / "made", packages, lambda _: None)
    (tmp_path / "made/cc1").write_bytes(b"another build")
    assert isinstance(install_gcc(tmp_path / "made", packages, lambda _: None), GccToolchain)


def test_members_are_files_and_links_are_not_followed(tmp_path: Path) -> None:
    file = tmp_path / "some.deb"
    file.write_bytes(package({"usr/bin/as": b"text"}, link=("usr/bin/ld", "/etc/passwd")))
    assert members(file, ["usr/bin/as"]) == {"usr/bin/as": b"text"}
    with pytest.raises(InvalidInput, match="usr/bin/ld is not a file of a usual size"):
        members(file, ["usr/bin/as", "usr/bin/ld"])
    with pytest.raises(InvalidInput, match="has no usr/bin/cc1"):
        members(file, ["usr/bin/cc1"])


@pytest.mark.parametrize("cut", [0, 5, 70, 300])
def test_a_cut_package_is_refused(tmp_path: Path, cut: int) -> None:
    file = tmp_path / "some.deb"
    file.write_bytes(package({"usr/bin/as": b"text" * 1000})[:cut])
    with pytest.raises(InvalidInput, match=r"some\.deb cannot be unpacked"):
        members(file, ["usr/bin/as"])


CLIENT = """#!/bin/sh
for word; do
    case $word in
    *::*) ;;
    *=*) [ -e "{packages}/${{word%%=*}}.deb" ] || {{ echo "E: Unable to locate $word" >&2; exit 100; }}
        cp "{packages}/${{word%%=*}}.deb" . ;;
    esac
done
"""


def test_apt_gets_the_packages(packages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    client = tmp_path / "apt-get"
    client.write_text(CLIENT.format(packages=packages))
    client.chmod(0o755)
    monkeypatch.setattr(shutil, "which", lambda _: str(client))
    told: list[str] = []
    install_gcc(tmp_path / "made", None, told.append)
    assert told[0] == "Reading the lists of packages ..."
    assert [line.partition("=")[0] for line in told[1:]] == ["Getting cc1", "Getting libc6"]
    (packages / "as.deb").unlink()
    with pytest.raises(ToolMissing, match="does not get all packages: E: Unable to locate as=1"):
        install_gcc(tmp_path / "other", None, told.append)
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(ToolMissing, match="This machine has no apt-get"):
        install_gcc(tmp_path / "other", None, told.append)


def test_the_command_says_what_differs(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPTARENA_GCC", str(copy))
    said = CliRunner().invoke(commands.gcc, []).output
    assert f"Pinned: {pinned.COMPILER}" in said
    assert f"used: {copy / 'cc1'}" in said
    (copy / "ld").write_bytes(b"another one")
    answer = CliRunner().invoke(commands.gcc, [])
    assert "ld is another build" in answer.output
    assert isinstance(answer.exception, ToolMissing)
    listed = CliRunner().invoke(commands.gcc, ["packages"]).output.splitlines()
    assert [line.split()[0] for line in listed] == [one.sha256 for one in pinned.PACKAGES]


URI = "benchmark://gcc-kernels-v0/hashtable"
DRIVER = """#!/bin/sh
case $1 in
-dumpfullversion) echo {version} ;;
-dumpmachine) echo {machine} ;;
-print-prog-name=*) echo {folder}/${{1#*=}} ;;
esac
"""
DOCKER = """#!/bin/sh
# Runs the command here, in the folder that a container would see: run --OPTION... IMAGE COMMAND...
[ "$1" = run ] && shift
folder=.
while :; do
  case $1 in
  --volume=*) folder=${{1#--volume=}} folder=${{folder%%:*}} ;;
  --*) ;;
  *) break ;;
  esac
  shift
done
[ "$1" = gcc:12 ] || {{ echo "No such image: $1" >&2; exit 125; }}
shift
[ "$1" = gcc ] && {{ shift; set -- {driver} "$@"; }}
cd "$folder" && exec "$@"
"""


def script(file: Path, text: str) -> Path:
    file.write_text(text)
    file.chmod(0o755)
    return file


def driver(folder: Path, version: str = "12.2.0", machine: str = "x86_64-linux-gnu") -> Path:
    """A driver whose programs run those of the pinned GCC, wherever it lies."""
    folder.mkdir()
    for name in ("cc1", "as", "ld"):
        script(folder / name, f'#!/bin/sh\nexec {shlex.join(pinned_gcc().command(name))} "$@"\n')
    return script(folder / "gcc-x", DRIVER.format(version=version, machine=machine, folder=folder))


@pytest.fixture
def docker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    client = script(tmp_path / "docker", DOCKER.format(driver=driver(tmp_path / "image")))
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    return client


@needs_gcc
def test_a_gcc_of_an_image_compiles_what_the_pinned_one_does(docker: Path) -> None:
    env: GccEnv = gymnasium.make("optarena/gcc-v0", gcc_bin="docker:gcc:12", benchmark=URI).unwrapped  # type: ignore[assignment] # GCC's
    with env, optarena.make("gcc-v0", benchmark=URI) as pinned:
        assert env.environment.compiler == "GCC 12.2.0"
        assert not env.environment.boardable
        assert env.environment.digest != pinned.environment.digest
        assert env.action_table.options.options[0].choices[-1] == "-Oz"  # type: ignore[attr-defined] # GCC's table
        env.reset()
        pinned.reset()
        line = "gcc -Oz -fno-tree-vrp --param=max-hoist-depth=60 -c program.c -o program.o"
        _, reward, *_ = env.multistep(env.action_table.parse(line))
        pinned.multistep(CHOICES.parse(line))
        for name in ("obj_hash", "asm_hash", "rtl", "load_size_bytesO3"):
            assert env.observation[name] == pinned.observation[name], name
        assert env.observation["digest"] != pinned.observation["digest"]
        assert reward > 0
        again = pickle.loads(pickle.dumps(env))  # noqa: S301 # made here
        with again:
            assert again.environment.digest == env.environment.digest
            assert again.observation["obj_hash"] == env.observation["obj_hash"]
        docker.unlink()
        *_, terminated, _, info = env.step(env.action_table.parse(line.replace("z", "s", 1))[0])
        assert terminated
        assert "cannot be started" in info["error_details"]


@pytest.mark.soak
@needs_gcc
def test_a_gcc_of_this_machine_runs_confined(tmp_path: Path) -> None:
    found = pinned_gcc()
    if found.loader:
        pytest.skip("the pinned GCC does not run without its own loader")
    made = driver(tmp_path / "here")
    for name, path in found.programs.items():
        (tmp_path / "here" / name).unlink(missing_ok=True)
        (tmp_path / "here" / name).symlink_to(path)
    with optarena.make("gcc-v0", gcc_bin=str(made), benchmark=URI, sandbox=True) as env:
        env.reset()
        env.multistep(env.action_table.parse("gcc -Os -c program.c -o program.o"))
        assert env.sandbox["tools"] == {name: found.access.hashes[name] for name in ("cc1", "as", "ld")}
        assert env.environment.version_spec()["programs"] == env.sandbox["tools"]
        assert env.observation["load_size_bytes"] < env.observation["load_size_bytesO2"]
    # It says of its options what the table of the pinned one says, before values were tried.
    theirs = {one.name: tuple(one.choices) for one in env.action_table.options.options}  # type: ignore[attr-defined] # GCC's table
    assert all(set(one.choices) <= set(theirs[one.name]) for one in SAFE.options)


@needs_gcc
@pytest.mark.parametrize(
    ("gcc_bin", "error", "message"),
    [
        ("no-such-gcc", ToolMissing, "There is no program 'no-such-gcc' on this machine"),
        ("~nobody-of-this-name/gcc", ToolMissing, "There is no program '~nobody-of-this-name/gcc'"),
        ("docker:other:1", ToolMissing, "No such image: other:1"),
        ("docker:a b", InvalidInput, "'a b', which is not the name of one. Give 'docker:NAME:TAG'"),
        ("", InvalidInput, "Give the path or the name of a gcc, or 'docker:IMAGE'"),
        (5, InvalidInput, "gcc_bin is 5"),
        ("true", ToolMissing, "is not such a GCC: its version is ''"),
        ("false", ToolMissing, "does not answer '-dumpfullversion': it ended with 1"),
    ],
)
@pytest.mark.usefixtures("docker")
def test_what_is_no_gcc_is_named(gcc_bin: object, error: type[InvalidInput], message: str) -> None:
    with pytest.raises(error, match=message) as raised:
        optarena.make("gcc-v0", gcc_bin=gcc_bin)
    assert raised.value.field == "gcc_bin"


@needs_gcc
def test_a_gcc_that_cannot_serve_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, (version, machine, message) in enumerate(
        [
            ("4.9.4", "x86_64-linux-gnu", "its version is '4.9.4'. Name a GCC of version 7 or later"),
            ("13.2.0", "aarch64-linux-gnu", "compiles for aarch64-linux-gnu. Name a GCC for x86_64"),
        ]
    ):
        made = driver(tmp_path / str(number), version, machine)
        with pytest.raises(ToolMissing, match=message):
            optarena.make("gcc-v0", gcc_bin=str(made))
    (tmp_path / "1/as").unlink()
    alone = script(tmp_path / "1/alone", made.read_text().replace("aarch64", "x86_64"))
    with pytest.raises(ToolMissing, match="has no as"):
        optarena.make("gcc-v0", gcc_bin=str(alone))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ToolMissing, match="There is no docker on this machine"):
        optarena.make("gcc-v0", gcc_bin="docker:gcc:12")


@needs_gcc
def test_a_gcc_without_end_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(other_session, "_SECONDS", 0.5)
    with pytest.raises(ToolMissing, match=r"did not end within 0\.5 s"):
        optarena.make("gcc-v0", gcc_bin=str(script(tmp_path / "slow", "#!/bin/sh\nexec sleep 20\n")))
    monkeypatch.setattr(other_session, "_SECONDS", 20.0)
    with pytest.raises(ToolMissing, match="does not answer"):
        optarena.make("gcc-v0", gcc_bin=str(script(tmp_path / "loud", "#!/bin/sh\nexec yes\n")))


@needs_gcc
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("exit 0", "The cc1 of docker:gcc:12 does not say its options"),
        ("echo no daemon at $DOCKER_HOST >&2; exit 1", "not say its options: no daemon at ssh://elsewhere"),
        ("printf '\\377'", "The cc1 of docker:gcc:12 does not say its options"),
        ("exec sleep 20", r"did not end within 0\.5 s when it was asked for its options"),
    ],
)
@pytest.mark.usefixtures("docker")
def test_a_cc1_that_does_not_say_its_options_is_named(
    text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script(tmp_path / "image/cc1", f"#!/bin/sh\n{text}\n")
    monkeypatch.setenv("DOCKER_HOST", "ssh://elsewhere")
    monkeypatch.setattr(build_options, "_SECONDS", 0.5)
    other_session.ask.cache_clear()
    with pytest.raises(ToolMissing, match=message):
        optarena.make("gcc-v0", gcc_bin="docker:gcc:12")


@needs_gcc
@pytest.mark.usefixtures("docker")
def test_another_gcc_keeps_the_reward_of_its_environment() -> None:
    with optarena.make("gcc-runtime-v0", gcc_bin="docker:gcc:12") as env:
        assert env.environment.reward_space == "RuntimePointEstimate"


@pytest.mark.soak
def test_the_environment_is_there_where_only_a_remote_service_can_run() -> None:
    code = "import os; del os.sched_getaffinity; import optarena.gcc.env"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_container_that_is_only_asked_has_limits_too(tmp_path: Path) -> None:
    client = script(tmp_path / "docker", '#!/bin/sh\necho "$@"\n')
    said = GccPlace(str(client), "gcc:12").query_program("gcc", "-dumpmachine")
    assert "--ulimit=cpu=60:61" in said
    assert said.endswith("gcc:12 gcc -dumpmachine")


@needs_gcc
@pytest.mark.usefixtures("docker")
def test_arguments_that_cannot_go_together_are_refused() -> None:
    with pytest.raises(InvalidInput, match="docker:gcc:12 cannot be confined"):
        optarena.make("gcc-v0", gcc_bin="docker:gcc:12", sandbox=True)
    with pytest.raises(InvalidInput, match="gcc_bin is given with a service"):
        optarena.make("gcc-v0", gcc_bin="docker:gcc:12", service="localhost:1")
    with pytest.raises(InvalidInput, match=r"gcc-unsafe-v0 takes no gcc_bin\. .* make optarena/gcc-v0"):
        optarena.make("gcc-unsafe-v0", gcc_bin="docker:gcc:12")
    assert environment_spec("gcc-v0").boardable


def test_what_happens_in_a_container_has_its_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(text: str, wall_seconds: float = 60.0) -> None:
        client = script(tmp_path / "docker", f"#!/bin/sh\n{text}\n")
        DockerToolchain(str(client), "gcc:12", {"cc1": "/cc1"}).run(
            "cc1", [["-O2"]], tmp_path, wall_seconds=wall_seconds
        )

    with pytest.raises(ToolFailed, match="cc1 failed with exit code 1: no such option"):
        run("echo no such option >&2; exit 1")
    with pytest.raises(ServiceError, match="Docker does not run cc1 of gcc:12: no daemon"):
        run("echo no daemon >&2; exit 125")
    with pytest.raises(SessionTimeout, match="cc1 in docker:gcc:12: The program did not end"):
        run("exec sleep 20", wall_seconds=0.5)
    with pytest.raises(SessionOutOfMemory, match="cc1 used its 2 GiB of memory, or somebody killed it"):
        run("exit 137")
    monkeypatch.setattr(limits, "CODE_CPU_SECONDS", 0.1)
    for text, told in (
        ("exit 152", "CPU time of 0.1 s."),
        ("sleep 0.1; exit 137", "CPU time of 0.1 s or its 2 GiB of memory."),
    ):
        with pytest.raises(SessionTimeout, match=f"^cc1 used its {re.escape(told)}$"):
            run(text)


def test_the_time_of_a_container_is_extended_like_that_of_a_tool(tmp_path: Path) -> None:
    client = script(tmp_path / "docker", '#!/bin/sh\nsleep 0.3; echo "$@" >&2; exit 1\n')
    toolchain = DockerToolchain(str(client), "gcc:12", {"cc1": "/cc1"})
    with limits.extended_by(600), pytest.raises(ToolFailed, match="--ulimit=cpu=36000:36001"):
        toolchain.run("cc1", [["-O2"]], tmp_path, wall_seconds=0.1)
    with pytest.raises(SessionTimeout, match="The program did not end"):
        toolchain.run("cc1", [["-O2"]], tmp_path, wall_seconds=0.1)
