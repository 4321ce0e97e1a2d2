"""OptArena: benchmark datasets and gymnasium environments for compiler-optimisation agents.

``import optarena`` registers the environments; ``optarena.make("llvm-ic-v0")``, or
``gymnasium.make("optarena/llvm-ic-v0")``, makes one. Works on every platform: an environment whose compiler
does not run there says so when it is made. Modules named in ``$OPTARENA_PLUGINS`` are imported at the end and
add environments of their own by ``optarena.register``.
"""

from importlib import import_module

from optarena import envs
from optarena.envs import make, make_vec
from optarena.logs import configure
from optarena.registry import load_plugins, register

__all__ = ["envs", "make", "make_vec", "register"]

ROOMS = ("llvm", "generators", "loop_tool", "gpu_kernels", "gcc")
"""The package's own compilers: each has a module ``description`` that registers it, as a plug-in does."""

configure()
for _room in ROOMS:
    import_module(f"optarena.{_room}.description")
load_plugins()
