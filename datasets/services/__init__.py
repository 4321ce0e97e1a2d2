"""Writes of datasets: the only place where dataset rows and blobs are made."""

from datasets.services.load import load_dataset, load_range

__all__ = ("load_dataset", "load_range")
