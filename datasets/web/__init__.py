"""Pages of datasets. They extend ``base.html``, which the project provides."""
