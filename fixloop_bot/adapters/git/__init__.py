"""Git: one gateway, a shadow git directory, and the worktree that fixloop works in."""
