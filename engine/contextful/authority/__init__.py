"""authority, pure: what a credential allows, how one is issued, and whether one stands."""
