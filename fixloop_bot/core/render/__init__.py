"""All that fixloop shows on GitHub, as pure functions."""
