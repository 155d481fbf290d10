"""What each listed path does. `table.py` is the list."""
