"""RS9xx: rule text that does not fit the spec."""

from rulespec.catalogue.kind import Kind, Severity

TEXTS = (
    Kind(
        "RS901",
        "text-missing",
        Severity.ERROR,
        "A rule of the spec has no text in this language.",
        """Whoever reads this rulebook will not know the rule. Every rule id of the spec has a text in every language
the game is translated into, and so has every ruling: what other rulebooks leave open is said here.

Bad:
    rules: {setup.deck: {title: The deck, text: Shuffle the cards.}}       # the spec also has deal.hands
Good:
    rules:
      setup.deck: {title: The deck, text: Shuffle the cards.}
      deal.hands: {title: The hands, text: Deal five cards to each player.}
""",
    ),
    Kind(
        "RS902",
        "text-extra",
        Severity.ERROR,
        "A text speaks of a rule that the spec does not have.",
        """The rule was renamed or deleted, or its id is misspelt. Texts are tied to rules by their ids, so this one is
never shown.

Bad:
    rules: {setup.dek: {title: The deck, text: Shuffle the cards.}}
Good:
    rules: {setup.deck: {title: The deck, text: Shuffle the cards.}}
""",
    ),
    Kind(
        "RS903",
        "text-other-language",
        Severity.ERROR,
        "The name of the file and its `lang:` disagree.",
        """A translation lies in a file that is called like its language: `uk.yaml` holds Ukrainian. One of the two is a
slip, and commands that ask for a language would take the wrong file.

Bad:
    uk.yaml: {translation: 1, game: cards, lang: en, …}
Good:
    uk.yaml: {translation: 1, game: cards, lang: uk, …}
""",
    ),
    Kind(
        "RS904",
        "text-no-game",
        Severity.ERROR,
        "There is no such game to hold the text against.",
        """A translation names its game by the id of the spec, which lies two folders above it or comes with ftk.

Bad:
    game: fortheqing
Good:
    game: fortheking
""",
    ),
)
