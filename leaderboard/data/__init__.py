"""Releases of step data: what each action of the sequences that everybody may read did."""
