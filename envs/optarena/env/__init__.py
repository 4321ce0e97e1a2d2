"""The gymnasium environment of a compiler: ``CompilerEnv`` and its parts.

``compiler_env`` has gymnasium's calls, ``spaces`` what a step is asked for and how its values are read,
``episode`` one episode, ``session_client`` the calls of one session, ``backends`` where sessions run.
This room does not know any compiler: what is special about one lives in its own room.
"""

from optarena.env.compiler_env import CompilerEnv

__all__ = ["CompilerEnv"]
