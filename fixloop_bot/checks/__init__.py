"""One module per tool: how to recognise it, ask it for a report, and read what it says."""
