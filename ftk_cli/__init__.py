"""The `ftk` command line."""
