"""The start of a zygote: this script is run by path, so that the package's ``__init__`` never runs.

It installs a bare ``optarena`` in place of the package, and calls ``zygote_main``. It imports little, since
imports slow down the start of every agent.
"""

import gc
import importlib.machinery
import os
import sys
import types


def install_bare_package(folder: str) -> None:
    # `import optarena.x` must not run `optarena/__init__.py`, and a plug-in's package, which a session may
    # have to import, registers nothing here.
    package = types.ModuleType("optarena", "The bare package of a zygote.")
    package.__path__ = [folder]
    package.register = lambda *_, **__: None  # type: ignore[attr-defined] # what a plug-in calls when it is imported
    package.__spec__ = importlib.machinery.ModuleSpec("optarena", None, is_package=True)
    sys.modules["optarena"] = package


def boot() -> None:
    gc.disable()  # until all is loaded: what is loaded stays
    install_bare_package(os.path.abspath(f"{__file__}/../../.."))  # noqa: PTH100 # pathlib is slow to import

    from optarena.service.session_process import zygote_main  # noqa: PLC0415 # needs the bare package

    control, directory, client = (int(argument) for argument in sys.argv[1:4])
    zygote_main.main(control, directory, client)


if __name__ == "__main__":
    boot()
