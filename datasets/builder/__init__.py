"""Makes datasets: from a suite of C programs in ``datasets/suites`` to bitcode with a manifest.

Here live the suite's file format, the tool chain, the checks and the writing. It knows no Django, and imports
only ``optarena``. It runs a suite's programs natively, outside any sandbox: suites are our own code.
"""

from datasets.builder.build import BuiltProgram, build_program, build_suite
from datasets.builder.errors import DatasetRefused, Refusal, ToolchainMissing
from datasets.builder.output import differences, manifest_of, write_dataset
from datasets.builder.suite import Program, Suite, read_suite
from datasets.builder.toolchain import Toolchain

__all__ = [
    "BuiltProgram",
    "DatasetRefused",
    "Program",
    "Refusal",
    "Suite",
    "Toolchain",
    "ToolchainMissing",
    "build_program",
    "build_suite",
    "differences",
    "manifest_of",
    "read_suite",
    "write_dataset",
]
