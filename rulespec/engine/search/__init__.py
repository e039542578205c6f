"""Games played on from a position: tree searches, rollouts, beliefs."""
