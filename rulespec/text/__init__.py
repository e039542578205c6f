"""Rule text: held against the spec, the glossary and the other languages; and a publisher's raw text likewise."""
