"""The edges: processes, git, files, databases, model providers."""
