"""The sandbox around commands of the pull request: another user, Landlock, seccomp, limits. See ADR 0006."""
