"""The languages of rule text: every one that CLDR knows, with what it says of them.

A record, a folder of data, adds to that: in this package, or in the folder `languages` of a project.
"""
