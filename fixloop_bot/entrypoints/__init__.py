"""The doors: command line, settings and wiring."""
