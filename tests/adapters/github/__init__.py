"""The GitHub adapter against a stateful GitHub."""
