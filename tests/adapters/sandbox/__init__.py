"""Tests of the sandbox around commands."""
