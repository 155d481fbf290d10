"""One file per ecosystem: what validates a project, from its files alone."""
