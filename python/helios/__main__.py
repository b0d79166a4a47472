"""`python -m helios`."""

from helios.cli import main

main()
