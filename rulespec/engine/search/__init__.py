"""Games played on from a position: tree searches, beliefs."""
