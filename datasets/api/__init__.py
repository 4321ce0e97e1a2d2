"""REST API of datasets: read only, open to everybody."""
