"""`python -m contextful`."""

from contextful.faces.cli import main

main()
