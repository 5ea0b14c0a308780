"""The performers: they read through a port, ask a decision, commit its changes and call the outside; nothing else."""
