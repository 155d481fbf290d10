"""Verbs: pure functions from value to value."""
