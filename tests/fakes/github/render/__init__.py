"""State to JSON, one function for each schema of GitHub's description."""
