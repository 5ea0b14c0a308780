"""surface: what the engine does for those who do not ask it each time: it arms schedules, and fires what is due."""
