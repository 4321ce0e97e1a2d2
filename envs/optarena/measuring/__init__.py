"""Measures what differs from run to run: blocks in fresh processes, beside a reference, with their errors."""
