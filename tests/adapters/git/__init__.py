"""Tests of the git adapter, on real repositories."""
