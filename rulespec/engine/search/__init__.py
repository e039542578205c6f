"""Games played on from a position: tree searches, rollouts, beliefs; and games for hosts that search."""
