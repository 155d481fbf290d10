"""The visual layer's work: rendering pages and comparing pictures. It runs in the sandbox, beside the checks."""
