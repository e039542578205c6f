"""Checks of a translation: against its rules, the glossary, its language and the other languages."""
