"""The commands of `ftk language`."""
