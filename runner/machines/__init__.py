"""The machines of workers: presence, calibration, self-test."""
