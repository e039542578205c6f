"""Runs `ftk`: `python -m ftk_cli`."""

from ftk_cli.main import main

main(prog_name="ftk")
