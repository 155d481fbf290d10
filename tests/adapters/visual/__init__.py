"""The visual layer's adapters."""
