"""The gymnasium environment of a compiler; what is special about one compiler has its own room."""

from optarena.env.compiler_env import CompilerEnv

__all__ = ["CompilerEnv"]
