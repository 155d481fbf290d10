"""Whether all that was written down of a run agrees."""
