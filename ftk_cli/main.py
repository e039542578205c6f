"""The entry point of the `ftk` command."""

import click

from rulespec import __version__


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ftk")
def main() -> None:
    """Board-game rules as versioned YAML specs: check, explain, translate and play them."""
