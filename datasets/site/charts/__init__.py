"""Geometry of charts: numbers in, coordinates of an SVG out; ``components/charts`` turns them into markup.

``scales`` has the shared code; each other module is one kind of chart. Plain arithmetic, without queries.
"""
