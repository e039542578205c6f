"""Deep search: games of a spec explored for what no proof can show.

`search` plays the settings of a spec in many ways; `findings` says what that has shown, each with the shortest log.
"""
