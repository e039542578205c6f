"""The formats of files: their numbers, and files of older numbers in the present one."""
