"""Makes datasets: from a suite of C programs in ``datasets/suites`` to bitcode with a manifest.

Here live the suite's file format, the fetching of packages, the tool chain, the checks and the writing. It
knows no Django, and imports only ``optarena``. It runs a suite's programs natively, outside any sandbox:
suites are our own choice of code, pinned by hash.
"""
