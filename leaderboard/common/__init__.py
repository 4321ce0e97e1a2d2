"""What every API view and page of the server shares: problems, pagination, health, headers, limits.

Knows no model of any app. Lower apps reach it through settings only, never by an import.
"""
