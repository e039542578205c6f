"""Types of expressions: resolves every name, proves every number to stay inside its interval."""
