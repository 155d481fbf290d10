"""What the fake GitHub remembers: plain objects, no HTTP, no JSON."""
