"""What the engine asks of the outside, one protocol a module."""
