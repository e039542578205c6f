"""What is found out about a program before its code is written."""
