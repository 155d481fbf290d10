"""The loops; they speak to ports alone."""
