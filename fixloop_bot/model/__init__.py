"""Nouns: frozen values, enums and closed unions; standard library only."""
