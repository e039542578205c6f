"""RS95x to RS97x: mistakes that a text gives away by itself."""

from rulespec.catalogue.kind import Kind, Severity

TEXT_MARKS = (
    Kind(
        "RS950",
        "mixed-scripts",
        Severity.ERROR,
        "A word mixes letters of two alphabets.",
        """Such a word looks right and is another word to every program: searching, sorting, spelling and speech all
miss it. It comes from typing with the wrong keyboard layout, or from scanning.

Bad:
    uk: Кожна кaртка лежить долілиць.       # the first a is Latin
    en: Take the cаrd.                      # the a is Cyrillic
Good:
    uk: Кожна картка лежить долілиць. Проскануйте QR-код.
    en: Take the card.
""",
    ),
    Kind(
        "RS951",
        "lookalike-letter",
        Severity.WARNING,
        "A letter that stands alone is of another alphabet than it seems.",
        """Letters on cards, Roman numerals and words of one letter look alike in Latin and Cyrillic. Which one is
meant is told by the other letters of the row, or by the letters that the game's cards carry.

Bad:
    uk: літери від A до Н                   # Latin A, Cyrillic Н
    en: the card marked А                   # Cyrillic
Good:
    uk: літери від A до H
    en: the card marked A
    zh-Hant: 字母A
""",
    ),
    Kind(
        "RS952",
        "full-width-letter",
        Severity.INFO,
        "Latin letters or digits are written in full width.",
        """They are other characters than the ordinary ones and break the look of a line. Modern Chinese typesetting
uses the ordinary ones.

Bad:
    zh-Hant: 字母Ａ，共１２張。
Good:
    zh-Hant: 字母A，共12張。
""",
    ),
    Kind(
        "RS953",
        "other-han-form",
        Severity.ERROR,
        "A character is Simplified in Traditional Chinese, or the other way round.",
        """One such character in a text is a slip of typing or of conversion. Characters that are right in both (后 in
皇后, 里 in 公里, 面, 台, 只) are not meant.

Bad:
    zh-Hant: 玩家将手牌棄掉。
    zh-Hans: 玩家將手牌弃掉。
Good:
    zh-Hant: 玩家將手牌棄掉。
    zh-Hans: 玩家将手牌弃掉。
""",
    ),
    Kind(
        "RS954",
        "mixed-numbering",
        Severity.WARNING,
        "A row is numbered in two styles, or one of its headings lost its number.",
        """Readers look for “step 2” and find none. All headings or items of a row carry numbers of one style.

Bad:
    en: |
      I. Deal
      2. Bid
    uk: |
      I. Роздача
      2. Торги
Good:
    en: |
      1. Deal
      2. Bid
""",
    ),
    Kind(
        "RS955",
        "numbering-gap",
        Severity.WARNING,
        "A number is left out, comes twice, or the numbers go back.",
        """Either the number is wrong or a step was lost. A new list that begins with 1 again is fine.

Bad:
    en: |
      1. Deal.
      2. Bid.
      4. Pay.
Good:
    en: |
      1. Deal.
      2. Bid.
      3. Pay.
""",
    ),
    Kind(
        "RS956",
        "repeated-heading",
        Severity.WARNING,
        "Two headings are the same, or almost.",
        """References by name need one name for one place. Two headings that differ in one letter of an unknown word,
in spaces or in letter case are a slip.

Bad:
    en: |
      ## Course of play
      ## Scoring
      ## Course of  Play
    uk: |
      ## Перебіг гри
      ## Перевіг гри
Good:
    en: |
      ## Course of play
      ## Scoring
""",
    ),
    Kind(
        "RS957",
        "heading-level",
        Severity.WARNING,
        "A heading is on a level that does not fit the others.",
        """Levels of headings go down one at a time, and headings of one row (1., 2., 3.) share a level: tables of
contents and readers of screens rely on it.

Bad:
    # Game
    ### Setup
Good:
    # Game
    ## Setup
""",
    ),
    Kind(
        "RS958",
        "empty-heading",
        Severity.WARNING,
        "Nothing stands under a heading, or it has no words.",
        """Its text was lost, or it is a number that was torn off the heading after it.

Bad:
    ## 2
    ## Second phase
    Play rounds.
Good:
    ## 2. Second phase
    Play rounds.
""",
    ),
    Kind(
        "RS959",
        "page-reference",
        Severity.WARNING,
        "A reference names a page of a text that has no pages.",
        """Pages are lost when a booklet becomes text, and change with every layout.

Bad:
    en: Carry it out (see page 5).
    uk: Виконайте дію (див. с. 5).
    zh-Hant: 執行效果（見第5頁）。
Good:
    en: Carry it out (see “King cards”).
    uk: Виконайте дію (див. «Картки короля»).
    zh-Hant: 執行效果（見「國王卡牌」）。
""",
    ),
    Kind(
        "RS960",
        "dangling-reference",
        Severity.WARNING,
        "A table, list or picture is referred to that is not there.",
        """The text says “the table below”, or ends with a colon, and none follows within the next lines: it was lost
in conversion.

Bad:
    en: Take as many cards as the table below says. Shuffle the rest.
    uk: Кількість зазначено в таблиці нижче. Решту перетасуйте.
    zh-Hant: 張數如下表。
Good:
    en: |
      Take as many cards as the table below says.

      | players | cards |
      | 2 | 22 |
""",
    ),
    Kind(
        "RS961",
        "lost-icon",
        Severity.WARNING,
        "An empty place is left where a symbol stood.",
        """Conversion to text drops symbols. What is left are empty brackets, or lines that begin with a space and
“or”.

Bad:
    en: Pay ( ) to draw a card.
    uk: Сплатіть ( ) і візьміть картку.
    zh-Hant: 支付「」並抽牌。
Good:
    en: Pay 1 gold to draw a card.
    uk: Сплатіть 1 золото і візьміть картку.
    zh-Hant: 支付「1金幣」並抽牌。
""",
    ),
    Kind(
        "RS962",
        "half-width-mark",
        Severity.WARNING,
        "Half-width punctuation stands in Chinese sentences.",
        """Chinese uses marks as wide as a character. One finding stands for the whole text. Marks within Latin words
and numbers are left alone.

Bad:
    zh-Hant: 抽一張牌,放在面前(面朝下).
    zh-Hans: 抽一张牌,放在面前(面朝下).
Good:
    zh-Hant: 抽一張牌，放在面前（面朝下）。
    zh-Hans: 抽一张牌，放在面前（面朝下）。
""",
    ),
    Kind(
        "RS963",
        "doubled-mark",
        Severity.WARNING,
        "Two punctuation marks stand where one is meant.",
        """A slip of typing or of joining two sentences.

Bad:
    en: Draw a card,, then pass..
    uk: Візьміть картку,, потім пасуйте.
    zh-Hant: 抽一張牌，，然後跳過。
Good:
    en: Draw a card, then pass ...
    uk: Візьміть картку, потім пасуйте.
    zh-Hant: 抽一張牌，然後跳過……
""",
    ),
    Kind(
        "RS964",
        "stray-space",
        Severity.WARNING,
        "A space stands where none belongs.",
        """Before a comma or full stop, or between the characters of a Chinese sentence.

Bad:
    en: Draw a card , then pass.
    uk: Візьміть картку , потім пасуйте.
    zh-Hant: 你可以抽一張牌，然後 跳過。
Good:
    en: Draw a card, then pass.
    uk: Візьміть картку, потім пасуйте.
    zh-Hant: 你可以抽一張牌，然後跳過。
""",
    ),
    Kind(
        "RS965",
        "missing-space",
        Severity.WARNING,
        "A space is missing after a mark or before a bracket.",
        """Two words or sentences were glued together.

Bad:
    en: Draw a card,then pass.Go on.
    uk: Візьміть картку,потім пасуйте.
Good:
    en: Draw a card, then pass. Go on.
    uk: Візьміть картку, потім пасуйте.
""",
    ),
    Kind(
        "RS966",
        "quote-style",
        Severity.WARNING,
        "Quotation marks are not those of the language, or of two styles.",
        """Ukrainian uses «…» (within them „…“), Traditional Chinese 「…」, Simplified Chinese “…”. English may use “…”
or straight ones, but not both in one text.

Bad:
    uk: картка з літерою "A"
    en: “A” and "B"
    zh-Hant: 稱為“顧問”的玩家
    zh-Hans: 称为「顾问」的玩家
Good:
    uk: картка з літерою «A»
    en: “A” and “B”
    zh-Hant: 稱為「顧問」的玩家
    zh-Hans: 称为“顾问”的玩家
""",
    ),
    Kind(
        "RS967",
        "apostrophe-style",
        Severity.WARNING,
        "Apostrophes of two kinds stand in one text.",
        """They look alike and are other characters, so searching for a word misses half of its places.

Bad:
    uk: п'ять карток і п’ять тайлів
    en: the player's card and the king’s card
Good:
    uk: п’ять карток і п’ять тайлів
    en: the player’s card and the king’s card
""",
    ),
    Kind(
        "RS968",
        "hyphen-for-dash",
        Severity.INFO,
        "A hyphen stands where a dash is meant.",
        """A hyphen joins words; a dash parts sentences. Chinese writes a dash of two characters' length.

Bad:
    en: Take one card - the top one.
    uk: Радник - це перший гравець.
    zh-Hant: 他贏了—沒錯！
Good:
    en: Take one card – the top one.
    uk: Радник — це перший гравець.
    zh-Hant: 他贏了——沒錯！
""",
    ),
    Kind(
        "RS969",
        "mixed-forms",
        Severity.INFO,
        "One sign or word is written in two ways in one text.",
        """A hyphen for a minus sign here and a real minus there, three full stops here and an ellipsis there, “color”
here and “colour” there, “facedown” here and “face down” there.

Bad:
    en: Gold -1, esteem −2. The adviser is followed by the next advisor.
    uk: Золото -1, повага −2.
    zh-Hant: 黃金-1，名望−2。
Good:
    en: Gold −1, esteem −2. The adviser is followed by the next adviser.
    uk: Золото −1, повага −2.
    zh-Hant: 黃金−1，名望−2。
""",
    ),
    Kind(
        "RS970",
        "list-mark",
        Severity.INFO,
        "List marks differ, are glued to their text, or come with a number besides.",
        """Marks of two kinds make one list look like two, and Markdown only sees a list where a space follows its `-`.

Bad:
    - the hand
    • the deck
Good:
    - the hand
    - the deck
""",
    ),
    Kind(
        "RS971",
        "missing-end-mark",
        Severity.INFO,
        "A list item or a paragraph ends without a mark.",
        """Items of a list end alike: all with a full stop or semicolon, or all without. A paragraph of several
sentences ends with a mark.

Bad:
    - Draw a card.
    - Bid or pass
    - Pay your bid.
Good:
    - Draw a card.
    - Bid or pass.
    - Pay your bid.
""",
    ),
    Kind(
        "RS972",
        "broken-paragraph",
        Severity.WARNING,
        "A paragraph ends in the middle of a sentence.",
        """The end of a line or page was taken for the end of a paragraph. One finding stands for the whole text.

Bad:
    en: |
      Each player takes one of the

      cards in the middle.
Good:
    en: Each player takes one of the cards in the middle.
""",
    ),
    Kind(
        "RS973",
        "unbalanced-mark",
        Severity.ERROR,
        "A bracket, quotation mark or mark of Markdown has no partner.",
        """Something was lost, or everything up to the next mark will be shown in bold.

Bad:
    en: Draw a card (from the deck.
    uk: **Радник бере картку.
    zh-Hant: 放在「桌面中央。
Good:
    en: Draw a card (from the deck).
    uk: **Радник** бере картку.
    zh-Hant: 放在「桌面中央」。
""",
    ),
    Kind(
        "RS974",
        "lone-fragment",
        Severity.WARNING,
        "A line holds nothing but a number or a sign.",
        """Page numbers and the text of pictures end up so. A run of such lines is one finding; those that stand alone
are one finding together.

Bad:
    The game ends.

    7

    Count your points.
Good:
    The game ends.

    Count your points.
""",
    ),
    Kind(
        "RS975",
        "broken-character",
        Severity.ERROR,
        "A character was lost, or was read with the wrong encoding.",
        """Boxes, question marks in black and strings such as `â€™` show that bytes were decoded wrongly, or that a
symbol of a private font was copied.

Bad:
    en: If a card doesnâ€™t have a number
Good:
    en: If a card doesn’t have a number
""",
    ),
    Kind(
        "RS976",
        "hidden-character",
        Severity.WARNING,
        "An invisible character or a ligature stands inside a word.",
        """Soft hyphens, spaces without width and ligatures such as ﬁ come with text copied from a PDF. Searching
misses the words they stand in.

Bad:
    en: the ﬁrst player
Good:
    en: the first player
""",
    ),
    Kind(
        "RS977",
        "leftover-markup",
        Severity.WARNING,
        "HTML or a name in angle brackets stands in the text.",
        """Rule text is Markdown. What is left of another format is shown as it stands, or vanishes.

Bad:
    en: Go to the <END OF THE GAME>.
    zh-Hans: <b>工人</b>
Good:
    en: Go to the **end of the game**.
    zh-Hans: **工人**
""",
    ),
    Kind(
        "RS978",
        "doubled-word",
        Severity.WARNING,
        "A word stands twice in a row.",
        """A slip of typing. Words doubled on purpose (“ледь-ледь”, 常常) are not meant.

Bad:
    en: Draw the the top card.
    uk: Візьміть картку та та пасуйте.
    zh-Hant: 玩家的的手牌
Good:
    en: Draw the top card.
    uk: Візьміть картку та пасуйте.
    zh-Hant: 玩家的手牌
""",
    ),
    Kind(
        "RS979",
        "looks-misspelt",
        Severity.WARNING,
        "A word looks misspelt.",
        """With a hunspell dictionary: a word that it does not know. Without one: a word that stands once in the text,
that no list of word forms holds, and that is one slip away from another word.

Bad:
    uk: Покладіть картку дотори.
    en: You recieve one gold.
Good:
    uk: Покладіть картку догори.
    en: You receive one gold.
""",
    ),
)
