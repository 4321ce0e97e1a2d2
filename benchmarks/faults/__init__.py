"""A whole server under faults: the work, the faults and the checks of ``benchmarks/chaos.py``."""
