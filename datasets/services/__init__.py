"""Writes of datasets: the only code that creates dataset rows and blobs."""

from datasets.services.cleaning import remove_unused, unused_files
from datasets.services.deprecation import deprecate_dataset, restore_dataset
from datasets.services.load import load_dataset, load_range
from datasets.services.previews import make_previews

__all__ = (
    "deprecate_dataset",
    "load_dataset",
    "load_range",
    "make_previews",
    "remove_unused",
    "restore_dataset",
    "unused_files",
)
