"""Measurements of speed and memory: `python -m bench` writes them to docs/benchmarks.md. Never part of a test."""
