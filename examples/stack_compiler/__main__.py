"""The stack compiler as a service: ``python -m stack_compiler --port 8765``."""

from optarena.service.runtime import create_and_run_compiler_gym_service
from stack_compiler.session import StackSession

if __name__ == "__main__":
    create_and_run_compiler_gym_service(StackSession)
