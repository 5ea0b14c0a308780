"""Pipelines, pure: what a manifest declares, what it compiles to, how pulls go on and what their rows become."""
