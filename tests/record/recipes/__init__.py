"""One module per tool: a small project, its faults, and what is true of each variant."""
