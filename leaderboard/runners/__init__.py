"""The queue and the runners, as pages and the API show them."""
