"""What all pages share: base template, components, styles, charts, and how numbers are written.

A Django app below all others. It knows none of them and no model: what an app adds to every page is plain
data of its ``AppConfig`` (``navigation``).
"""
