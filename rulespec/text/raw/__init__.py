"""A publisher's raw text: taken apart, aligned to the rules, checked."""
