"""Files of older formats and versions, lifted to the present ones."""
