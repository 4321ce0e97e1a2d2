"""OptArena: benchmark datasets and gymnasium environments for compiler-optimisation agents.

``import optarena`` registers the environments; ``gymnasium.make("optarena/llvm-ic-v0")`` makes one. Works on
every platform: an environment whose compiler does not run there says so when it is made.
"""

from optarena.logs import configure
from optarena.registration import register_environments

configure()
register_environments()
