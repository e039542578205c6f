"""The language of specs: documents, formats, expressions, schemas, overlays, and the sealed model made of them."""
