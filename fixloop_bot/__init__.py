"""fixloop: repairs failing pull requests in a bounded, verified loop."""

__version__ = "0.1.0"
