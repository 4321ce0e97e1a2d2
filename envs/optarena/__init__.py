"""OptArena: benchmark datasets and gymnasium environments for compiler-optimisation agents.

``import optarena`` registers the environments; ``optarena.make("llvm-ic-v0")``, or
``gymnasium.make("optarena/llvm-ic-v0")``, makes one. Works on every platform: an environment whose compiler
does not run there says so when it is made. Modules named in ``$OPTARENA_PLUGINS`` are imported at the end and
add environments of their own by ``optarena.register``.
"""

from optarena import envs
from optarena.envs import make
from optarena.logs import configure
from optarena.registry.registration import load_plugins, register, register_environments

__all__ = ["envs", "make", "register"]

configure()
register_environments()
load_plugins()
