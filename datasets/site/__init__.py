"""Shared by all pages: base template, components, styles, charts, highlighted code, and number formats.

A Django app below all others. It imports none of them and has no models: an app declares its additions to
every page as plain data in its ``AppConfig`` (``navigation``).
"""
