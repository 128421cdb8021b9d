"""`python -m steersman`: the command line. Nothing else lives here."""

from steersman.cli.main import main

main()
