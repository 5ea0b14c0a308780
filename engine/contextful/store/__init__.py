"""The store, pure: where files stand, what is the engine's own, how schemas grow, what a read returns."""
