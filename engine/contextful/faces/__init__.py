"""What people and programs hold: they parse, call and render, nothing else."""
