"""Django app that hosts datasets: versions, benchmarks, blobs; API and pages. Imports only optarena."""
