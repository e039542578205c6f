"""RS905–RS929: rule text that does not say what the spec does, or not what the other languages say."""

from rulespec.catalogue.kind import Kind, Severity

TEXT_FACTS = (
    Kind(
        "RS905",
        "text-stale",
        Severity.WARNING,
        "The facts of a rule have changed since its text was confirmed.",
        """Somebody once read this text against the rule and confirmed it. Since then the spec says something else, so
the text must be read again, even where every number still fits. `ftk text status --confirm` writes down that it was.

Bad:
    deal: {title: Deal, text: Deal 5 cards to each player., confirmed: 0f3a99c2}     # the spec now deals 6
Good:
    deal: {title: Deal, text: Deal 6 cards to each player., confirmed: 8d1be004}
""",
    ),
    Kind(
        "RS910",
        "fact-missing",
        Severity.ERROR,
        "The text of a rule leaves out something it must state.",
        """The spec lists under `states:` what players must be able to read of each rule. Values are looked for by
value, in digits or words; terms by the concepts of the glossary, in any inflected form.

Bad:
    en: Deal cards to each player.                    # states: [{its: amount}], and the amount is 5
    uk: Роздайте картки кожному гравцеві.
    zh-Hant: 發牌給每位玩家。
Good:
    en: Deal 5 cards to each player.
    uk: Роздайте кожному гравцеві по п'ять карток.
    zh-Hant: 發給每位玩家5張牌。
""",
    ),
    Kind(
        "RS911",
        "fact-contradicted",
        Severity.ERROR,
        "The text says another number than the spec.",
        """Where the spec has one value, the text has another. One of the two is wrong; the spec is what is played.

Bad:
    en: "Remove cards: 2 players 22, 3 players 12."   # random_removal: {by: players, 2: 22, 3: 13}
    uk: "Приберіть картки: для 2 гравців 22, для 3 гравців 12."
    zh-Hant: 2人遊戲移除22張，3人遊戲移除12張。
Good:
    en: "Remove cards: 2 players 22, 3 players 13."
    uk: "Приберіть картки: для 2 гравців 22, для 3 гравців 13."
    zh-Hant: 2人遊戲移除22張，3人遊戲移除13張。
""",
    ),
    Kind(
        "RS912",
        "order-contradicted",
        Severity.ERROR,
        "The text lists things in another order than the spec.",
        """The order of tie-breaks, or of whatever the spec goes through one after the other, decides games.

Bad:
    en: Compare points, then letters, then gold.      # by: [points, gold, letters]
    uk: Порівняйте очки, потім літери, потім золото.
    zh-Hant: 先比點數，再比字母，最後比黃金。
Good:
    en: Compare points, then gold, then letters.
    uk: Порівняйте очки, потім золото, потім літери.
    zh-Hant: 先比點數，再比黃金，最後比字母。
""",
    ),
    Kind(
        "RS913",
        "number-unaccounted",
        Severity.WARNING,
        "The text has a number that no fact of its rule accounts for.",
        """Either the number is wrong, or the spec does not list it: add it under `states:` (with `optional: true` where
other languages may leave it out), so that it is checked from now on. Numbers of players, list markers, ordinals and
articles need no fact.

Bad:
    en: Deal 5 cards to each player, 25 in all.       # states: [{its: amount}]
    uk: Роздайте кожному по 5 карток, разом 25.
    zh-Hant: 每位玩家發5張牌，共25張。
Good:
    en: Deal 5 cards to each player.
    uk: Роздайте кожному по 5 карток.
    zh-Hant: 每位玩家發5張牌。
""",
    ),
    Kind(
        "RS914",
        "number-repeated",
        Severity.ERROR,
        "A choice of numbers names one of them twice.",
        """One of the two is a slip.

Bad:
    en: Cards marked 4 or 4 go back to the box.
    uk: Картки з числом 4 або 4 поверніть до коробки.
    zh-Hant: 底部是4或4的牌收回遊戲盒。
Good:
    en: Cards marked 4 or 5 go back to the box.
    uk: Картки з числом 4 або 5 поверніть до коробки.
    zh-Hant: 底部是4或5的牌收回遊戲盒。
""",
    ),
    Kind(
        "RS920",
        "language-lacks",
        Severity.WARNING,
        "A text does not speak of something that the other languages say in the same rule.",
        """Players of different languages should read the same rule. The concept is one that the spec has a name for.

Bad:
    en: Put the card in the box.
    uk: Покладіть картку в коробку.
    zh-Hant: 把這張牌移開。                             # no word of the box
Good:
    zh-Hant: 把這張牌收回遊戲盒。
""",
    ),
    Kind(
        "RS921",
        "language-adds",
        Severity.WARNING,
        "A text speaks of something that no other language says in the same rule.",
        """Either the others leave something out, or this text uses the wrong word. The concept is one that the spec has
a name for.

Bad:
    en: Put the card in the box.
    uk: Покладіть картку в коробку, а колоду — на стіл.   # the deck is in no other language
    zh-Hant: 把這張牌收回遊戲盒。
Good:
    uk: Покладіть картку в коробку.
""",
    ),
    Kind(
        "RS922",
        "language-number",
        Severity.ERROR,
        "A text has another number than all other languages in the same sentence or item.",
        """One of them is wrong, though none contradicts a fact of the spec. Where the spec knows the number, state it
under the rule's `states:`, so that it is clear which one.

Bad:
    en: Return 2 workers to the bag.
    uk: Поверніть до торбини 2 робітників.
    zh-Hant: 把3個工人放回袋子。                          # 2 in the others
Good:
    zh-Hant: 把2個工人放回袋子。
""",
    ),
)
