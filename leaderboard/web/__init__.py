"""Thin views: parse, call a service or selector, answer."""
