"""Failures recorded from real tools, and the means to record them again."""
