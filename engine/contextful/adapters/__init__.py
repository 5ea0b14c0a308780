"""The real outside behind the ports."""
