"""``optarena gcc``: which GCC was found, and how to get the pinned one."""

from __future__ import annotations

from pathlib import Path

import click

from optarena.errors import ToolMissing
from optarena.gcc import pinned
from optarena.gcc.installing import install as install_into
from optarena.gcc.toolchain import VARIABLE, GccToolchain, candidates, examine, find, install_folder


@click.group(invoke_without_command=True)
@click.pass_context
def gcc(context: click.Context) -> int | None:
    """Say which GCC is used, and what differs where it is another one."""
    if context.invoked_subcommand is not None:
        return None
    click.echo(f"Pinned: {pinned.COMPILER}")
    for name, sha256 in pinned.PROGRAMS.items():
        click.echo(f"  {name:3} sha256 {sha256}")
    used = False
    for place, folder in candidates():
        found = examine(place, folder)
        if isinstance(found, GccToolchain):
            click.echo(f"{place}: {'also there' if used else 'used'}: {found.programs['cc1']}")
            used = True
        else:
            click.echo(f"{place}: {found}")
    if not used:
        find()  # its error says what to do
    return None


@gcc.command()
@click.option("--from", "given", type=click.Path(path_type=Path), help="A folder with the packages.")
@click.option("--to", "target", type=click.Path(path_type=Path), help="Another folder to install it into.")
@click.option("--if-missing", is_flag=True, help="Do nothing where the pinned GCC is found already.")
def install(given: Path | None, target: Path | None, if_missing: bool) -> None:  # noqa: FBT001 # click's way
    """Install the pinned GCC for this user, without root."""
    if if_missing:
        try:
            find()
        except ToolMissing:
            pass
        else:
            return
    folder = (target or install_folder()).absolute()
    made = install_into(folder, given, click.echo)
    click.echo(f"{pinned.COMPILER} is in {made.place}.")
    if folder not in {place for _, place in candidates()}:
        click.echo(f"It is used if ${VARIABLE} names this folder.")


@gcc.command()
def packages() -> None:
    """List the packages that it is made of, each with its sha256."""
    for package in pinned.PACKAGES:
        kind = "  (only where the C library is older)" if package.optional else ""
        click.echo(f"{package.sha256}  {package.name}={package.version}{kind}")
