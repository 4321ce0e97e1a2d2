"""Pages of datasets. They extend ``base.html`` of ``datasets.site``."""
