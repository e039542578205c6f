"""`python -m rulespec` is `ftk`."""

from ftk_cli.main import main

main(prog_name="ftk")
