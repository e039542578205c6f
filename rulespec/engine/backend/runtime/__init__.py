"""What generated code calls: functions written by hand, most of which are compiled with it and never imported."""
