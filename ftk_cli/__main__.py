"""`python -m ftk_cli` is `ftk`."""

from ftk_cli.main import main

main(prog_name="ftk")
