"""Builds datasets: from a suite of C programs in ``datasets/suites`` to bitcode with a manifest.

This package has the suite's file format, the fetching of packages, the toolchain, the checks and the writing.
It imports ``optarena`` but not Django. It runs a suite's programs natively, outside any sandbox: suites are
our own choice of code, pinned by hash.
"""
