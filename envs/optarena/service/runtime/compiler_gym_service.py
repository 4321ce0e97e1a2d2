"""The service behind every carrier, by the path that CompilerGym's documents give."""

from optarena.service.session_process.compiler_gym_service import CompilerGymService

__all__ = ["CompilerGymService"]
