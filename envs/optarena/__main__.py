"""``python -m optarena``: the command line."""

from optarena.cli import main

main(prog_name="optarena")
