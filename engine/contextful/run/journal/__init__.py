"""run.journal: recorded work, one module a heading of its page."""
