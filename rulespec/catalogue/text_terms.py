"""RS940–RS949: terms of the glossary used in rule text."""

from rulespec.catalogue.kind import Kind, Severity

TEXT_TERMS = (
    Kind(
        "RS940",
        "term-forbidden",
        Severity.ERROR,
        "The text uses a word that the glossary forbids for what it means here.",
        """The word belongs to something else, or misleads. The glossary says which term to use.

Bad:
    en: Put the card in the trash.                    # discard: {preferred: discards, forbidden: [trash]}
    uk: Покладіть картку у відбій.                    # {preferred: скид, forbidden: [відбій]}
    zh-Hant: 把這張牌放進垃圾堆。                        # {preferred: 棄牌堆, forbidden: [垃圾堆]}
Good:
    en: Put the card on the discards.
    uk: Покладіть картку у скид.
    zh-Hant: 把這張牌放進棄牌堆。
""",
    ),
    Kind(
        "RS941",
        "term-doubled",
        Severity.WARNING,
        "The text has two terms for one thing.",
        """Readers of rules take another word for another thing. Keep to the term used most.

Bad:
    en: The Adviser draws a card. The Advisor keeps it.
    uk: Візьміть картку. Покладіть карту на стіл.
    zh-Hant: 支付黃金。每枚金幣都要付清。
Good:
    en: The Adviser draws a card. The Adviser keeps it.
    uk: Візьміть картку. Покладіть картку на стіл.
    zh-Hant: 支付黃金。所有黃金都要付清。
""",
    ),
    Kind(
        "RS942",
        "term-confused",
        Severity.ERROR,
        "A term stands where the rule speaks of something else.",
        """The passage states a rule that needs one thing, and names another that this rule has nothing to do with. Or
all other languages name another thing of this sort in the same sentence or item; what is of one sort follows from the
names of the spec, or from `sort:` in the glossary.

Bad:
    en: Shuffle the favour deck and take it as your hand.      # the rule is about the personal deck
    uk: Візьміть стос прихильності в руку.
    zh-Hant: 把恩賜牌堆拿到手上，成為手牌。
Good:
    en: Take your personal deck as your hand.
    uk: Візьміть особисту колоду в руку.
    zh-Hant: 把個人牌堆拿到手上，成為手牌。
""",
    ),
    Kind(
        "RS943",
        "term-undefined",
        Severity.WARNING,
        "The text uses a term, but leaves out the rule that explains it.",
        """Readers meet the word without ever being told what it is. The glossary says which rule introduces it.

Bad:
    en: The winner takes the secondary duty.          # and nowhere what a secondary duty is worth
    uk: Переможець отримує другорядну посаду.
    zh-Hant: 獲勝者取得次要職位。
Good:
    en: A secondary duty is worth half of the primary one. The winner takes the secondary duty.
    uk: Другорядна посада варта половину чільної. Переможець отримує другорядну посаду.
    zh-Hant: 次要職位的數值是主要職位的一半。獲勝者取得次要職位。
""",
    ),
    Kind(
        "RS944",
        "term-misspelt",
        Severity.WARNING,
        "A word is one letter away from a term of the glossary.",
        """It looks like a slip of the pen in a term, perhaps one that makes another word, which spelling checkers pass.

Bad:
    en: Take the Secondary Dury tile.
    uk: Переможних очах тут немає.                    # переможні очки
    zh-Hant: 拿取職位版塊。                              # 職位板塊
Good:
    en: Take the Secondary Duty tile.
    uk: Переможних очок тут немає.
    zh-Hant: 拿取職位板塊。
""",
    ),
    Kind(
        "RS945",
        "ambiguous",
        Severity.WARNING,
        "The text can be read in two ways where the rules need one.",
        """The rulebook leaves a question open that the spec answers with a ruling. A word more settles it.

Bad:
    en: The player with the most gold wins.           # its value, or the number of cards?
    uk: Перемагає той, хто має більше золота.
    zh-Hant: 擁有最多黃金的玩家獲勝。
Good:
    en: The player whose gold is worth most wins.
    uk: Перемагає той, у кого золото на більшу суму.
    zh-Hant: 黃金總值最高的玩家獲勝。
""",
    ),
    Kind(
        "RS946",
        "term-repeated",
        Severity.ERROR,
        "An enumeration names one thing twice.",
        """One of the two should be something else.

Bad:
    en: Government cards and government cards go to your hand.
    uk: Картки уряду й картки уряду йдуть у руку.
    zh-Hant: 政府卡牌和政府卡牌加入手牌。
Good:
    en: Government cards and gold cards go to your hand.
    uk: Картки уряду й картки золота йдуть у руку.
    zh-Hant: 政府卡牌和黃金卡牌加入手牌。
""",
    ),
    Kind(
        "RS949",
        "glossary-lacks",
        Severity.ERROR,
        "The facts of the spec speak of concepts that the glossary does not have.",
        """Under `states:` a spec names concepts (`terms:`) and lists names of its own in order (`order:`). Without a
term for each of them, no text can be held against these facts.

Bad:
    concepts: {deck: {names: deck, en: {preferred: deck}}}        # states: {deal: [{terms: [deck, hand]}]}
Good:
    concepts:
      deck: {names: deck, en: {preferred: deck}}
      hand: {names: hand, en: {preferred: hand}}
""",
    ),
)
