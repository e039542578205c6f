"""`ftk page`: a static folder that plays, checks and edits any spec in a browser, without a server."""
