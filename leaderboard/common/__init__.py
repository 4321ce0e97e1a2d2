"""Shared by every API view and page of the server: problems, pagination, health, headers, limits.

Imports no model of any app. Lower apps reach it through settings only, never by an import.
"""
