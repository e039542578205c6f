"""Descriptions: every language writes every phrase, and says all of its parts."""

from __future__ import annotations

import json
from pathlib import Path

import doc_games
import pytest
import regex
import yaml
from command import ftk
from described import small_book, translated
from random_specs import Maker, loaded

import rulespec
from rulespec.base.source import read as read_source
from rulespec.editing.editors.hover import hover
from rulespec.editing.editors.outline import outline
from rulespec.games.rulebook import book_of, description_of, texts_of
from rulespec.language.model.spec import Spec
from rulespec.play.table.behind import why
from rulespec.play.table.words import words_in
from rulespec.proofs.meaning.constructors import CONSTRUCTORS, UNWRITTEN
from rulespec.proofs.meaning.rules import propositions
from rulespec.text.checks.check import check
from rulespec.text.reading.translation import Passage
from rulespec.text.rules.book import Book
from rulespec.text.rules.describe.description import Description
from rulespec.text.rules.describe.grammar import FRAMES, LABELS, grammar_of, languages, parse
from rulespec.text.rules.describe.linearise import LEAVES
from rulespec.versions.changes.compare import compare

pytestmark = pytest.mark.slow("describes large games")

GAMES = ("fortheking", "kingme", "keyflower_king")


@pytest.mark.parametrize("lang", languages())
def test_every_constructor_has_a_template_with_all_of_its_parts(lang: str) -> None:
    grammar = grammar_of(lang)
    assert grammar.templates.keys() == CONSTRUCTORS.keys() - UNWRITTEN
    for name, words in grammar.templates.items():
        parts = {part.rstrip("*?") for part in CONSTRUCTORS[name].parts}
        assert {slot for slot in words.slots() if slot not in LEAVES} - grammar.agreeing.keys() == parts, name


@pytest.mark.parametrize("lang", languages())
def test_templates_use_only_lists_and_nouns_that_exist(lang: str) -> None:
    grammar = grammar_of(lang)
    every = (t for words in grammar.templates.values() for templates in words.by_kind.values() for t in templates)
    used = {slot.style for template in every for slot in template.slots()}
    used |= {slot.style for frame in grammar.frames.values() for slot in frame.slots()}
    used |= {"by_players", "player", "rows", "face"}
    assert used - {""} == grammar.lists.keys() | grammar.nouns.keys()
    assert all(
        forms.keys() == {*map(grammar.plural, range(100)), "amount", "again"} for forms in grammar.nouns.values()
    )


@pytest.mark.parametrize("lang", languages())
def test_every_frame_and_label_is_there(lang: str) -> None:
    grammar = grammar_of(lang)
    assert grammar.frames.keys() == FRAMES.keys() and grammar.labels.keys() == set(LABELS)
    for name, frame in grammar.frames.items():
        assert {slot.part for slot in frame.slots()} <= FRAMES[name], name


@pytest.mark.parametrize("text", ["a [b", "a] b"])
def test_brackets_of_a_template_must_match(text: str) -> None:
    with pytest.raises(ValueError, match="bracket"):
        parse(text)


def test_an_optional_piece_needs_all_of_its_parts() -> None:
    known = {"a": "one", "b": None}
    assert parse("{a}[, {b}][; {a}]").fill(lambda slot: known[slot.part]) == "one; one"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("lang", languages())
def test_every_proposition_is_one_sentence(game: str, lang: str) -> None:
    spec = rulespec.load(game)
    stated = {one for group in propositions(spec.model).values() for one in group}
    lines = [line for rule in description_of(spec, lang).rules() for line in rule.lines]
    assert {line.proposition for line in lines if line.proposition is not None} == stated


def test_a_rule_in_english() -> None:
    described = description_of(rulespec.load("fortheking"), "en").rule("setup.random_removal")
    assert described.sentences == [
        "Shuffle the deck.",
        "Move 22 cards (with 2 players), 13 (with 3), 8 (with 4) or 0 (with 5) "
        "from the top of the deck to the game box, face down.",
    ]


@pytest.mark.parametrize(
    ("rule", "lang", "said"),
    [
        ("influence.pick", "en", "to the effect area"),
        ("influence.pick", "uk", "на місце дії"),
        ("influence.pick", "zh-Hant", "移到生效區"),
        ("influence.next_adviser", "en", "the adviser’s left neighbour becomes the adviser"),
        ("influence.next_adviser", "zh-Hant", "顧問左邊的玩家成為顧問"),
        ("king.first", "uk", "тайл цієї сфери можна пересунути"),
    ],
)
def test_descriptions_use_labels_and_name_the_new_player_first(rule: str, lang: str, said: str) -> None:
    described = description_of(rulespec.load("specs/fortheking.yaml"), lang).rule(rule)
    assert any(said in sentence for sentence in described.sentences), described.sentences


def test_labels_are_no_terms_of_texts() -> None:
    book = book_of(rulespec.load("specs/fortheking.yaml"))
    assert book is not None
    assert not book.read("The effect area is empty.", "en").places
    assert "can_turn" not in book.concepts and "wealth" in book.concepts


AGREEMENT = yaml.safe_load((Path(__file__).parent / "plural_names.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("number", "name"), [(number, name) for number, names in AGREEMENT["names"].items() for name in names]
)
def test_verbs_agree_with_names(number: str, name: str) -> None:
    spec = rulespec.loads(AGREEMENT["spec"].replace("NAME", name)).model
    rules = list(Description(spec, "en").rules())
    said = {line.text for rule in rules for line in (*rule.lines, *rule.definitions)}
    determined = name.startswith("the ")
    noun = name if determined else f"the {name}"
    words = {"NAME": noun}
    for owner in ("the player", "each player"):
        words[f"OF_{owner.upper().replace(' ', '_')}"] = f"{name} of {owner}" if determined else f"{owner}’s {name}"
    for extreme, be in (("most", "are"), ("highest", "is")):
        compared = f"for whom {name} of the player {be} the highest" if determined else f"with the {extreme} {name}"
        words[f"WITH_{extreme.upper()}"] = compared
    wanted = [regex.sub(r"[A-Z_]{4,}", lambda found: words[found[0]], one) for one in AGREEMENT["sentences"][number]]
    assert {sentence[0].upper() + sentence[1:] for sentence in wanted} <= said


def test_conditions_that_sentences_share_stand_above_them() -> None:
    described = description_of(rulespec.load("fortheking"), "en").rule("king.second")
    assert [line.depth for line in described.own] == [0, 1, 1, 1, 0, 1, 2, 2, 2]


def test_one_number_of_players() -> None:
    described = description_of(rulespec.load("fortheking"), "en", 3).rule("setup.random_removal")
    assert described.sentences[1].startswith("Move 13 cards from the top of the deck")


# --- round trip: a description, checked, states every fact of its spec -----------------------------------------------

SHIPPED = [(game, lang) for game in GAMES for lang in texts_of(rulespec.load(game)) if lang in languages()]
DOCUMENTED = {block.file: block for block in doc_games.GAMES}


@pytest.mark.parametrize(("game", "lang"), SHIPPED)
@pytest.mark.sample(2)
def test_descriptions_of_shipped_games_lack_no_fact(game: str, lang: str) -> None:
    spec = rulespec.load(game)
    book, known = book_of(spec), texts_of(spec)[lang]
    assert book is not None
    assert missing(spec.model, lang, book, dict(known.passages)) == []


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("file", DOCUMENTED)
@pytest.mark.sample(12)
def test_descriptions_of_documented_games_lack_no_fact(file: str, lang: str) -> None:
    spec = rulespec.loads(DOCUMENTED[file].source).model
    assert small(spec, lang) == []


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.sample(2)
def test_descriptions_of_random_games_lack_no_fact(seed: int, lang: str) -> None:
    spec = loaded(Maker(seed).spec())
    if spec is None:
        pytest.skip("the checker refuses this one")
    assert small(spec.model, lang) == []


def small(spec: Spec, lang: str) -> list[str]:
    return missing(spec, lang, small_book(spec, lang), {})


def missing(spec: Spec, lang: str, book: Book, known: dict[str, Passage]) -> list[str]:
    found = check(translated(spec, lang, book, known), spec, book, [])
    return [f"{one.rule}: {one.message}" for one in found if one.name in ("fact-missing", "text-missing", "text-extra")]


# --- ftk describe ----------------------------------------------------------------------------------------------------


def test_the_command_describes_one_rule() -> None:
    result = ftk("describe", "fortheking", "--rule", "esteem.favour_deck")
    assert result.exit_code == 0
    assert result.output.splitlines()[:2] == [
        "esteem.favour_deck: Shuffle the favour deck",
        "  - This is part of the rule “Second phase – gain esteem”.",
    ]


ASIDES = yaml.safe_load((Path(__file__).parent / "asides.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("lang", ASIDES["said"])
def test_branches_options_inner_rules_and_asides(lang: str) -> None:
    rules = list(Description(rulespec.loads(ASIDES["spec"]).model, lang).rules())
    all_lines, own = (
        [f"{'  ' * line.depth}{line.text}" for rule in rules for line in getattr(rule, kind)]
        for kind in ("lines", "own")
    )
    if lang == "en":
        assert all_lines == ASIDES["lines"].splitlines() and own == ASIDES["own"].splitlines()
    defined = [line.text for rule in rules for line in rule.definitions]
    assert set(ASIDES["said"][lang]) <= {*map(str.strip, all_lines), *defined}


def test_the_command_describes_a_game_in_markdown() -> None:
    lines = ftk("describe", "kingme", "--format", "markdown").output.splitlines()
    assert lines[0] == "# King Me!"
    assert "## Shuffle the goal cards (`setup.goals`)" in lines and "## Rulings" in lines


def test_json_has_propositions_as_trees() -> None:
    data = json.loads(ftk("describe", "fortheking", "--rule", "setup.deck", "--format", "json").output)
    assert data["rules"][0]["propositions"] == [{"act": {"is": "shuffle", "parts": [{"is": "zone", "name": "deck"}]}}]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--rule", "esteem.favour_dek"], "Did you mean `esteem.favour_deck`?"),
        (["--players", "9"], "is for 2 to 5 players"),
        (["--lang", "xx"], "Rules cannot be described in xx."),
    ],
)
def test_a_wrong_option_is_refused_with_the_choices(arguments: list[str], message: str) -> None:
    result = ftk("describe", "fortheking", *arguments)
    assert result.exit_code in (2, 3) and message in result.output


def test_explain_shows_what_a_rule_does() -> None:
    shown = ftk("explain", "setup.deck", "--spec", "fortheking").output
    assert "  what the rule does:\n    - Shuffle the deck.\n" in shown


def test_explain_has_the_labels_of_the_language() -> None:
    shown = ftk("explain", "setup.deck", "--spec", "fortheking", "--lang", "uk").output
    assert "  що робить правило:\n" in shown and "  записано тут: " in shown
    assert "  uk: Колода\n" in shown and "what the rule does" not in shown


# --- other languages -------------------------------------------------------------------------------------------------

SENTENCES = {
    "uk": [
        "Якщо переможець не може заплатити і в руці переможця є картки, "
        "перемістіть навмання 1 картку з руки переможця в скид долілиць, долілиць."
    ],
    "zh-Hant": [
        "如果得標者無法付款，而且得標者的手牌不是空的，從得標者的手牌隨機拿1張牌，放到面朝下的棄牌堆，面朝下。"
    ],
}


@pytest.mark.parametrize("lang", SENTENCES)
def test_a_rule_in_another_language(lang: str) -> None:
    assert description_of(rulespec.load("fortheking"), lang).rule("esteem.lose_card").sentences == SENTENCES[lang]


def test_a_clause_of_a_noun_stands_behind_a_relative_pronoun() -> None:
    described = description_of(rulespec.load("kingme"), "pl")
    assert "przełóż wszystkie karty ze stołu sprzed tego gracza" in " ".join(
        described.rule("election.ballots").sentences
    )
    assert described.rule("place.one").sentences[0] == (
        "Ten gracz musi wybrać jedną postać, której nie ma na planszy, i jedną liczbę od 1 do 4, "
        "przy czym liczba postaci, których piętro to ta liczba, wynosi mniej niż 4."
    )


GERMAN = {
    "setup.goals": [
        "Legt alle Zielkarten aus der Schachtel verdeckt auf den Zielkartenstapel.",
        "Mischt den Zielkartenstapel.",
    ],
    "place.servants": [
        "Macht Folgendes für jede Figur.",
        "Wenn diese Figur nicht auf dem Spielplan steht, ist das Stockwerk dieser Figur jetzt 0.",
    ],
}


@pytest.mark.parametrize("rule", GERMAN)
def test_articles_cases_and_the_place_of_the_verb_in_german(rule: str) -> None:
    assert description_of(rulespec.load("kingme"), "de").rule(rule).sentences == GERMAN[rule]


def test_words_are_joined_in_a_finished_sentence() -> None:
    finished = grammar_of("de").finished
    assert finished("von dem Stapel in dem Haus, dessen Tür offen ist,, neben und bei dem Spieler,") == (
        "vom Stapel im Haus, dessen Tür offen ist, neben und beim Spieler"
    )
    assert finished("ein Feld, in dem Karten liegen") == "ein Feld, in dem Karten liegen"


def test_counted_nouns_take_the_form_of_their_number() -> None:
    grammar = grammar_of("uk")
    counted = [grammar.counted(number, "card") for number in (0, 1, 2, 5, 11, 12, 21, 22, 112)]
    assert [words.split()[1] for words in counted] == [
        *("карток", "картку", "картки", "карток", "карток", "карток", "картку", "картки", "карток")
    ]


@pytest.mark.parametrize("lang", ["uk", "zh-Hant"])
def test_a_description_in_another_language_has_no_title_or_question_of_the_spec(lang: str) -> None:
    spec = rulespec.load("fortheking")
    whole = ftk("describe", "fortheking", "--lang", lang, "--format", "markdown").output
    pages = [
        ftk("explain", rule, "--spec", "fortheking", "--lang", lang).output for rule in ("esteem", "esteem.overpay")
    ]
    english = {rule.title for rule in spec.model.rules.values()} - {""}
    english |= {ruling.question for ruling in spec.model.rulings.values()} | {spec.model.title}
    for text in (whole, *pages):
        assert {each for each in english if each in text} == set()
    answer = texts_of(spec)[lang].rulings["payment"].text.text.split()[0]
    assert answer in whole and answer in pages[1]


def test_a_ruling_without_a_text_in_the_language_is_its_option() -> None:
    described = Description(rulespec.load("fortheking").model, "uk")
    assert described.ruling("payment", "until_covered") == "`payment = until_covered`."


# --- options without a title -----------------------------------------------------------------------------------------

STALL = yaml.safe_load((Path(__file__).parent / "option_titles.yaml").read_text(encoding="utf-8"))


@pytest.fixture
def stall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> rulespec.Spec:
    (tmp_path / "specs" / "glossaries").mkdir(parents=True)
    (tmp_path / "specs" / "stall.yaml").write_text(STALL["spec"], encoding="utf-8")
    (tmp_path / "specs" / "glossaries" / "stall.yaml").write_text(STALL["glossary"], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return rulespec.load("stall")


@pytest.mark.parametrize(("lang", "titles"), STALL["titles"].items())
def test_an_option_without_a_title_is_called_by_its_words(
    stall: rulespec.Spec, lang: str, titles: dict[str, str]
) -> None:
    game = stall.game(engine="interpreter")
    state, words = game.new_initial_state(seed=1), words_in(stall, game, lang)
    described = {one.rule: one.title for one in description_of(stall, lang).rules()}
    behind = {one.rule: one.title for one in (why(state, action, words) for action in state.legal_actions())}
    assert titles.items() <= described.items() and titles == behind


def test_explain_the_hover_and_the_outline_call_an_option_by_its_words(stall: rulespec.Spec) -> None:
    assert ftk("explain", "buy", "stall").output.startswith("buy: buy for … or more\n")
    source, _ = read_source("specs/stall.yaml")
    assert source is not None
    shown = hover(source, source.text.index("id: buy") + 5)
    assert shown is not None and "\n\nbuy for … or more\n\n" in shown[0]
    turns = next(one for one in outline(source) if one.name == "play").inside[0]
    assert [one.detail for one in turns.inside] == ["buy for {n} or more", "Ask for a coin", "wait"]


def test_new_words_of_an_option_without_a_title_are_one_change(stall: rulespec.Spec) -> None:
    later = rulespec.loads(STALL["spec"].replace("says: wait", "says: pass"))
    (change,) = compare(stall.model, later.model).every
    assert (change.before.text, change.after.text) == ("wait", "pass")
