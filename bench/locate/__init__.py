"""How often the faulty line is in the first prompt: programs, faults, recorded outputs, measurement."""
