"""The guard: what in a change weakens the checks instead of repairing the code. Pure; one module per rule family."""
