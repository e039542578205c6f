"""RS93x: glossaries."""

from rulespec.catalogue.kind import Kind, Severity

TEXT_GLOSSARY = (
    Kind(
        "RS930",
        "glossary-name-unknown",
        Severity.ERROR,
        "A concept is tied to a name that does not exist.",
        """`names:` says what a concept is in the spec: an enum, a member of one (`kind.king`), a zone, a value, a
table, a field of the cards, or the id of a rule. Without a right name no text can be held against the spec by it.
`settled_by:` lists other concepts of the same glossary, by their ids.

Bad:
    king_card: {names: king, en: {preferred: king card}}           # the member is called kind.king
Good:
    king_card: {names: kind.king, en: {preferred: king card}}
""",
    ),
    Kind(
        "RS931",
        "glossary-rule-unknown",
        Severity.ERROR,
        "A concept names a rule or a ruling that the spec does not have.",
        """`defined_by:` is the id of the rule whose text tells players what the word means, `asks:` the id of the
ruling whose question the concept's `vague` phrases leave open.

Bad:
    king_card: {defined_by: kings, en: {preferred: king card}}     # the rule is called king
Good:
    king_card: {defined_by: king, en: {preferred: king card}}
""",
    ),
    Kind(
        "RS932",
        "term-shared",
        Severity.WARNING,
        "Two concepts have the same term in one language.",
        """Whoever reads the term cannot tell which of the two is meant, and neither can the checks of the texts. A term
that is right for one concept may be forbidden for another: that is what `forbidden` is for.

Bad:
    duty:   {en: {preferred: duty}}
    office: {en: {preferred: office, allowed: [duty]}}
Good:
    duty:   {en: {preferred: duty}}
    office: {en: {preferred: office, forbidden: [duty]}}
""",
    ),
    Kind(
        "RS933",
        "term-contradiction",
        Severity.ERROR,
        "A term is both right and forbidden for one concept.",
        """The same words stand under `preferred` or `allowed` and under `forbidden`. Small and capital letters,
hyphens and spaces make no difference.

Bad:
    face_down: {en: {preferred: face down, forbidden: [face-down]}}
Good:
    face_down: {en: {preferred: face down}}
""",
    ),
    Kind(
        "RS934",
        "term-missing",
        Severity.WARNING,
        "A concept has no preferred term in a language of the glossary.",
        """Texts in that language cannot be searched for the concept, and translators do not know what to call it.

Bad:
    king_card: {en: {preferred: king card}}
    gold_card: {en: {preferred: gold card}, uk: {preferred: картка золота}}
Good:
    king_card: {en: {preferred: king card}, uk: {preferred: картка короля}}
    gold_card: {en: {preferred: gold card}, uk: {preferred: картка золота}}
""",
    ),
    Kind(
        "RS935",
        "glossary-name-unused",
        Severity.INFO,
        "Some names of the spec have no concept.",
        """Zones and values with a title are things that players are told of, and where one member of an enum has a
concept the others usually have one too. This only lists what no concept names, once per glossary; not all of it
needs one.

Bad:
    king_card: {en: {preferred: king card}}
Good:
    king_card: {names: kind.king, en: {preferred: king card}}
""",
    ),
    Kind(
        "RS936",
        "term-unusable",
        Severity.ERROR,
        "A term can never be found in a text.",
        """A term needs a word; a gap (` … `) stands between words, and only `allowed`, `vague` and `cues` can have one.
A vague phrase is of use only where `asks:` says which ruling it leaves open.

Bad:
    tie: {en: {preferred: "=", allowed: ["… on level terms"]}}
Good:
    tie: {en: {preferred: tie, allowed: ["are … on level terms"]}}
""",
    ),
    Kind(
        "RS937",
        "glossary-other-game",
        Severity.ERROR,
        "A glossary says it is of another game.",
        """A glossary lies in a file that is called like its game and names the same game under `game:`.

Bad:
    fortheking.yaml: {glossary: 1, game: kingme, concepts: …}
Good:
    fortheking.yaml: {glossary: 1, game: fortheking, concepts: …}
""",
    ),
    Kind(
        "RS938",
        "terms-unreadable",
        Severity.ERROR,
        "A file of terms cannot be read.",
        """Terms are exchanged as CSV with the columns concept, names, defined_by, note, lang, status and term (and,
where they are needed, one_term, asks and settled_by), or as TBX (TBX-Basic, ISO 30042) in the style with
`<termNote type="administrativeStatus">`. A TBX file may not declare a document type or entities: nothing is fetched or
expanded for it.

Bad:
    concept,language,term
    king_card,en,king card
Good:
    concept,names,defined_by,note,lang,status,term
    king_card,kind.king,king,,en,preferred,king card
""",
    ),
    Kind(
        "RS939",
        "terms-entry",
        Severity.ERROR,
        "One entry of a file of terms says something that a glossary cannot hold.",
        """The language or the status is unknown, something is missing or said twice. Languages are en, uk, zh-Hant and
zh-Hans; statuses are preferred (one per language), allowed, form, forbidden, vague and cue.

Bad:
    king_card,kind.king,king,,en,best,king card
Good:
    king_card,kind.king,king,,en,preferred,king card
""",
    ),
)
