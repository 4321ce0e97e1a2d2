"""Management commands of datasets."""
