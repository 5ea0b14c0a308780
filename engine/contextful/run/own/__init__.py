"""run.own: who owns pending work, one module a heading of its page."""
