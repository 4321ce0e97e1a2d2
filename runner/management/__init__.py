"""Operator commands of the runner."""
