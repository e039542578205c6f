"""`ftk text export, import, status, render`: round trips change nothing, and failed imports write nothing."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from command import ftk

from ftk_cli.main import main
from rulespec.base.source import Source
from rulespec.base.source import read as read_file
from rulespec.games.rulebook import check_translation
from rulespec.text.reading.translation import Translation, read

pytestmark = pytest.mark.slow("exports and imports whole texts")

SPECS = Path(__file__).parents[1] / "specs"
LANGUAGES = ("en", "uk", "zh-Hant")

# A short raw rulebook as from a publisher: without rule ids and with conversion artefacts.
RAW = """\
# Royal errands

Long live the printer!

## Getting ready

Return a card to the game box if its number is higher than the number of players.
Cards that have no number on them stay.

Draw lots for the first player.

## Handing out

As adviser, draw the top card of the deck, look at it alone and put it in one of 3 places:

- Keep it: the card goes face down into your personal deck. At most 1 card in a turn.
- Offer it: the card goes face up in the middle of the table. At most 1 card for each opponent.
- Put it aside: the card goes face down on top of the favour deck. At most 1 card in a turn.

Then your opponents, beginning with your left neighbour and going clockwise, each take 1 card
from the middle of the table into their personal deck, face down.

Now the deck goes to your left neighbour, who is the next adviser.

## Going for esteem

Shuffle the favour deck and put it face down in the middle of the table.

Everybody takes up their personal deck as a hand.

Whoever sits left of the last adviser opens the first round.

The first player turns the top card of the favour deck face up.

A first bid is at least 1. Every later bid is higher than the one before it.

Whoever passes cannot bid again in this round. Once all others have passed, the last one wins the bid.

If nobody bids, discard the card.

## How it ends

For each office, add up the values of your government cards. The highest sum takes the primary duty,
the second highest sum takes the secondary duty.

The player with the most victory points wins. In a tie, the higher value of gold cards wins.

© Nobody, 2031
12
"""


@pytest.fixture
def specs(tmp_path: Path) -> Path:
    """A writable copy of one game with its texts and its glossary."""
    folder = tmp_path / "specs"
    shutil.copytree(SPECS / "translations" / "fortheking", folder / "translations" / "fortheking")
    (folder / "glossaries").mkdir()
    shutil.copy(SPECS / "glossaries" / "fortheking.yaml", folder / "glossaries")
    shutil.copy(SPECS / "fortheking.yaml", folder)
    return folder


def text_of(specs: Path, lang: str = "uk") -> Path:
    return specs / "translations" / "fortheking" / f"{lang}.yaml"


def translation(path: Path) -> Translation:
    source, _ = read_file(path)
    assert source is not None
    found, wrong = read(source)
    assert found is not None, wrong
    return found


def exported(specs: Path, *arguments: str) -> Path:
    path = specs.parent / "out"
    assert ftk("text", "export", specs / "fortheking.yaml", *arguments, "--output", path).exit_code == 0
    return path


# --- rule text out and back -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("form", ["po", "xliff"])
def test_what_comes_back_unchanged_changes_nothing(specs: Path, lang: str, form: str) -> None:
    before = text_of(specs, lang).read_bytes()
    path = exported(specs, "--lang", lang, "--as", form, "--reference", "en")
    for target in (("--spec", specs / "fortheking.yaml"), ("--into", text_of(specs, lang))):
        result = ftk("text", "import", path, *target)
        assert (result.exit_code, "nothing to change" in result.stderr) == (0, True)
    assert text_of(specs, lang).read_bytes() == before


def test_an_export_tells_the_facts_of_each_rule(specs: Path) -> None:
    text = exported(specs, "--lang", "uk").read_text(encoding="utf-8")
    entry = text[: text.index('msgctxt "rules/king/text"')].rpartition("\n\n")[2]
    assert "#. from 1 to 6" in entry
    assert "(may be left out)" in entry
    assert "#." not in text[: text.index('msgctxt "rules/king/title"')].rpartition("\n\n")[2]


def edited_po(specs: Path, old: str, new: str) -> Path:
    path = exported(specs, "--lang", "uk")
    text = path.read_text(encoding="utf-8")
    assert text.count(f'msgstr "{old}"') == 1
    path.write_text(text.replace(f'msgstr "{old}"', f'msgstr "{new}"'), encoding="utf-8")
    return path


def test_one_changed_text_changes_one_line(specs: Path) -> None:
    title = translation(text_of(specs)).rules["king"].title
    path, before = edited_po(specs, title, "Інша назва"), text_of(specs).read_text(encoding="utf-8")
    shown = ftk("text", "import", path, "--into", text_of(specs), "--dry-run")
    assert f"-    title: {title}\n+    title: Інша назва\n" in shown.stdout
    assert text_of(specs).read_text(encoding="utf-8") == before
    result = ftk("text", "import", path, "--into", text_of(specs))
    assert "1 text changed: rules/king/title" in result.stderr
    after = text_of(specs).read_text(encoding="utf-8")
    assert after == before.replace(f"  title: {title}\n", "  title: Інша назва\n")


def test_output_leaves_the_translation_alone(specs: Path) -> None:
    title = translation(text_of(specs)).rules["king"].title
    path, before = edited_po(specs, title, "Інша назва"), text_of(specs).read_bytes()
    other = specs / "other.yaml"
    assert ftk("text", "import", path, "--into", text_of(specs), "--output", other).exit_code == 0
    assert text_of(specs).read_bytes() == before
    assert translation(other).rules["king"].title == "Інша назва"


def test_an_error_stops_the_import_without_keep_going(specs: Path) -> None:
    title = translation(text_of(specs)).rules["king"].title
    path, before = edited_po(specs, title, "Інша назва"), text_of(specs).read_bytes()
    text = path.read_text(encoding="utf-8").replace("rules/setup.deck/text", "rules/setup.dek/text")
    path.write_text(text, encoding="utf-8")
    stopped = ftk("text", "import", path, "--into", text_of(specs))
    assert (stopped.exit_code, "RS994" in stopped.stderr, "--keep-going" in stopped.stderr) == (1, True, True)
    assert text_of(specs).read_bytes() == before
    assert ftk("text", "import", path, "--into", text_of(specs), "--keep-going").exit_code == 1
    assert translation(text_of(specs)).rules["king"].title == "Інша назва"


def test_texts_go_into_their_own_game_and_language_only(specs: Path) -> None:
    path, before = exported(specs, "--lang", "uk"), text_of(specs, "en").read_bytes()
    assert "RS993" in ftk("text", "import", path, "--into", text_of(specs, "en"), "--keep-going").stderr
    other = path.read_text(encoding="utf-8").replace("Version: fortheking", "Version: ../../etc/passwd")
    assert "not known here" in ftk("text", "import", "-", stdin=other).stderr
    unknown = path.read_text(encoding="utf-8").replace("Language: uk", "Language: qux")
    assert ftk("text", "import", "-", "--spec", specs / "fortheking.yaml", stdin=unknown).exit_code == 3
    assert text_of(specs, "en").read_bytes() == before


def test_line_ends_and_byte_order_mark_stay(specs: Path) -> None:
    path = text_of(specs)
    marked = b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n")
    path.write_bytes(marked)
    title = translation(path).rules["king"].title
    assert ftk("text", "import", edited_po(specs, title, "Інша назва"), "--into", path).exit_code == 0
    expected = marked.replace(f"  title: {title}\r".encode(), "  title: Інша назва\r".encode())
    assert path.read_bytes() == expected


# --- terms ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["csv", "tbx"])
@pytest.mark.parametrize("only", [(), ("--lang", "uk")])
def test_terms_come_back_without_a_trace(specs: Path, form: str, only: tuple[str, ...]) -> None:
    path, glossary = exported(specs, "--as", form, *only), specs / "glossaries" / "fortheking.yaml"
    before = glossary.read_bytes()
    result = ftk("text", "import", path, "--spec", specs / "fortheking.yaml")
    assert (result.exit_code, "nothing to change" in result.stderr) == (0, True)
    assert glossary.read_bytes() == before


def test_a_new_term_and_a_new_concept_are_put_into_their_places(specs: Path) -> None:
    path, glossary = exported(specs, "--as", "csv"), specs / "glossaries" / "fortheking.yaml"
    rows = path.read_text(encoding="utf-8")
    blank = "," * (rows.partition("\n")[0].count(",") - 2)
    path.write_text(f"{rows}card{blank}uk,allowed,листок\ncrown{blank}en,preferred,crown\n", encoding="utf-8")
    before = glossary.read_text(encoding="utf-8")
    assert "2 concepts changed: card, crown" in ftk("text", "import", path, "--into", glossary).stderr
    after = glossary.read_text(encoding="utf-8")
    assert set(before.splitlines()) - set(after.splitlines()) == {"    uk: {preferred: картка, allowed: [карта]}"}
    new = {"    uk: {preferred: картка, allowed: [карта, листок]}", "  crown:", "    en: {preferred: crown}"}
    assert set(after.splitlines()) - set(before.splitlines()) == new


def test_a_first_glossary_is_made(specs: Path) -> None:
    path, glossary = exported(specs, "--as", "csv"), specs / "glossaries" / "fortheking.yaml"
    glossary.unlink()
    assert ftk("text", "import", path, "--spec", specs / "fortheking.yaml").exit_code == 0
    again = exported(specs, "--as", "csv")
    assert again.read_text(encoding="utf-8") == path.read_text(encoding="utf-8")


def test_wrong_terms_change_nothing(specs: Path) -> None:
    glossary = specs / "glossaries" / "fortheking.yaml"
    before = glossary.read_bytes()
    rows = "concept,names,defined_by,note,lang,status,term\ncrown,,,,en,best,crown\ncrown,,,,en,preferred,crown\n"
    result = ftk("text", "import", "-", "--into", glossary, stdin=rows)
    assert (result.exit_code, "not the status of a term" in result.stderr) == (1, True)
    assert glossary.read_bytes() == before
    assert ftk("text", "import", "-", stdin=rows).exit_code == 2


# --- raw texts --------------------------------------------------------------------------------------------------------


def drafted(tmp_path: Path, raw: str = RAW) -> Source:
    path, out = tmp_path / "raw.txt", tmp_path / "draft.yaml"
    path.write_text(raw, encoding="utf-8")
    result = ftk("text", "import", path, "--lang", "en", "--spec", "fortheking", "--output", out)
    assert result.exit_code == 0, result.output
    source, found = read_file(out)
    assert source is not None and not found
    return source


EXPECTED = {
    "setup.markers": "Return a card to the game box if its number is higher than the number of players.",
    "setup.first_player": "Draw lots for the first player.",
    "influence.keep": "the card goes face down into your personal deck.",
    "influence.centre": "the card goes face up in the middle of the table.",
    "influence.pick": "each take 1 card\nfrom the middle of the table into their personal deck, face down.",
    "influence.next_adviser": "Now the deck goes to your left neighbour, who is the next adviser.",
    "esteem.favour_deck": "Shuffle the favour deck and put it face down in the middle of the table.",
    "esteem.hands": "Everybody takes up their personal deck as a hand.",
    "esteem.bid": "Every later bid is higher than the one before it.",
    "esteem.pass": "Whoever passes cannot bid again in this round.",
    "esteem.nobody": "If nobody bids, discard the card.",
    "end.duties": "add up the values of your government cards.",
    "end.winner": "The player with the most victory points wins.",
}


@pytest.mark.parametrize("raw", [RAW, RAW.replace("\n", "\r\n")], ids=["lf", "crlf"])
def test_a_draft_has_each_sentence_under_its_rule(tmp_path: Path, raw: str) -> None:
    source = drafted(tmp_path, raw)
    draft, found = read(source)
    assert draft is not None, found
    assert [id_ for id_, words in EXPECTED.items() if words not in draft.rules[id_].text.text] == []
    assert draft.title == "Royal errands"
    assert draft.rules["influence.draft"].title == "Handing out"
    assert {passage.status for passage in draft.rules.values()} == {"draft"}
    order = [id_ for id_ in translation(text_of(SPECS, "en")).rules if id_ in draft.rules]
    assert list(draft.rules) == order


def test_a_draft_loses_nothing_and_says_what_is_missing(tmp_path: Path) -> None:
    text = drafted(tmp_path).text
    joined = " ".join(text.replace("\n#   ", " ").split())
    for line in RAW.splitlines():
        for sentence in " ".join(line.split()).lstrip("#- ").split(". "):
            assert sentence in joined, sentence
    assert "\n  # king.second: " in text and "\n  king.second:" not in text
    assert ", line 48: © Nobody, 2031\n" in text
    assert re.search(r"; confidence (?:9\d|100)%", text) and "# doubtful: " in text


def test_a_draft_holds_up_with_odd_characters(tmp_path: Path) -> None:
    odd = RAW.replace("lots for the first", 'lots: # "for" \u2028the first')
    odd = odd.replace("Long live", "Long\u0007 live\u2029 \ufeff")
    draft, found = read(drafted(tmp_path, odd))
    assert draft is not None, found
    assert draft.rules["setup.first_player"].text.text == 'Draw lots: # "for"  the first player.'


def test_another_game_is_no_draft(tmp_path: Path) -> None:
    path = tmp_path / "chess.txt"
    path.write_text("Move the pawn one square. The king may castle.\nCheckmate wins.\n", encoding="utf-8")
    result = ftk("text", "import", path, "--lang", "en", "--spec", "fortheking", "--output", tmp_path / "no.yaml")
    assert (result.exit_code, "RS980 other-game" in result.stderr) == (1, True)
    assert not (tmp_path / "no.yaml").exists()
    assert ftk("text", "import", path, "--lang", "en").exit_code == 2
    assert ftk("text", "import", path, "--lang", "qux", "--spec", "fortheking").exit_code == 3
    assert ftk("text", "import", path, "--lang", "zh-Hans", "--spec", "fortheking").exit_code == 3


# --- status and confirming --------------------------------------------------------------------------------------------


def test_status_counts_what_there_is(specs: Path) -> None:
    path = text_of(specs)
    text = path.read_text(encoding="utf-8").replace("  king.second:\n", "  king.third:\n", 1)
    path.write_text(text.replace("  king:\n", "  king:\n    status: draft\n", 1), encoding="utf-8")
    (path.parent / "en.yaml").write_text("translation: 3\n", encoding="utf-8")
    (game,) = json.loads(ftk("text", "status", specs / "fortheking.yaml", "--format", "json").stdout)["games"]
    uk = next(language for language in game["languages"] if language["lang"] == "uk")
    assert (uk["rules"], uk["missing"], uk["draft"], uk["confirmed"]) == (game["rules"] - 1, ["king.second"], 1, 66)
    assert [Path(broken).name for broken in game["unreadable"]] == ["en.yaml"]
    shown = ftk("text", "status", specs / "fortheking.yaml", "-v").stdout
    assert "missing: king.second" in shown and "en.yaml cannot be read" in shown


def test_confirming_writes_one_line_each_and_only_once(specs: Path) -> None:
    game, path = specs / "fortheking.yaml", text_of(specs)
    confirmed = path.read_text(encoding="utf-8").splitlines(keepends=True)
    before = "".join(line for line in confirmed if not line.startswith("    confirmed: "))
    path.write_text(before, encoding="utf-8")
    assert "2 texts confirmed" in ftk("text", "status", game, "--lang", "uk", "--confirm", "king", "overbid").stderr
    assert ftk("text", "status", game, "--lang", "uk", "--confirm").exit_code == 0
    after = path.read_text(encoding="utf-8")
    new = [line for line in after.splitlines(keepends=True) if line.startswith("    confirmed: ")]
    assert len(new) == len(translation(path).passages)
    assert "".join(line for line in after.splitlines(keepends=True) if line not in new) == before
    ftk("text", "status", game, "--lang", "uk", "--confirm")
    assert path.read_text(encoding="utf-8") == after


def test_a_changed_fact_makes_a_confirmed_text_stale(specs: Path) -> None:
    game, path = specs / "fortheking.yaml", text_of(specs)
    ftk("text", "status", game, "--lang", "uk", "--confirm")
    text = game.read_text(encoding="utf-8")
    place = text.index("  setup.board:")
    changed = text[place:].replace("count: office, of: portrait", "count: office", 1)
    game.write_text(text[:place] + changed, encoding="utf-8")
    shown = ftk("text", "status", game, "--lang", "uk", "-v").stdout
    assert "stale: setup.board\n" in shown
    source, _ = read_file(path)
    assert source is not None
    stale = [found.rule for found in check_translation(source).findings if found.name == "text-stale"]
    assert stale == ["setup.board"]
    assert "1 text confirmed, 66 already were" in ftk("text", "status", game, "--lang", "uk", "--confirm").stderr


def test_what_cannot_be_confirmed(specs: Path) -> None:
    game, before = specs / "fortheking.yaml", text_of(specs).read_bytes()
    wrong = ftk("text", "status", game, "--lang", "uk", "--confirm", "king", "overbit")
    assert (wrong.exit_code, "Did you mean `overbid`?" in wrong.stderr) == (3, True)
    assert ftk("text", "status", "--confirm").exit_code == 2
    assert ftk("text", "status", game, "--confirm").exit_code == 2
    assert ftk("text", "status", game, "king").exit_code == 2
    assert ftk("text", "status", "--lang", "qux").exit_code == 3
    assert text_of(specs).read_bytes() == before


# --- rendering --------------------------------------------------------------------------------------------------------


def test_render_as_markdown_and_html(tmp_path: Path) -> None:
    page = tmp_path / "rules.html"
    book = ("text", "render", "fortheking", "--lang", "uk", "--players", "2")
    assert ftk(*book, "--format", "html", "--rulings", "--output", page).exit_code == 0
    html = page.read_text(encoding="utf-8")
    assert html.startswith("<!") and 'id="king.first"' in html and 'id="ruling-overbid"' in html
    plain, more = ftk(*book).stdout, ftk(*book, "--rulings").stdout
    assert plain.startswith("# ") and "\n## Роз’яснення\n" not in plain and "\n## Роз’яснення\n" in more
    assert plain.index("\n## Покажчик термінів\n") > plain.index("\n## Кінець гри\n")
    other = ftk(*book, "--rulings", "--ruling", "overbid=forbidden").stdout
    assert 0 < len(other) - len(plain) < len(more) - len(plain)


# --- whatever comes ---------------------------------------------------------------------------------------------------

HOSTILE = {
    "empty": b"",
    "blank": b" \n\n",
    "binary": bytes(range(256)),
    "utf-16": "msgid".encode("utf-16"),
    "nul": b'msgid "a\0"\nmsgstr "b"\n',
    "half po": b'msgid ""\nmsgstr ""\n"Language: uk\\n"\nmsgid "',
    "no header": b'msgid "a"\nmsgstr "b"\n',
    "half xml": b'<?xml version="1.0"?><xliff xmlns="urn:oasis:names:tc:xliff:document:2.0"><file',
    "bomb": b'<!DOCTYPE xliff [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><xliff>&b;</xliff>',
    "yaml": b"translation: 3\n",
    "csv": b'concept,term\n"a',
    "other": b"{}",
}


@pytest.mark.parametrize("ending", [".po", ".xlf", ".csv", ".tbx", ".txt", ".xml", ""])
@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.sample(12)
def test_hostile_files_end_in_words_and_change_nothing(specs: Path, name: str, ending: str) -> None:
    path = specs.parent / f"file{ending}"
    path.write_bytes(HOSTILE[name])
    before = {p: p.read_bytes() for p in specs.rglob("*.yaml")}
    for more in ((), ("--spec", specs / "fortheking.yaml"), ("--spec", specs / "fortheking.yaml", "--lang", "en")):
        result = ftk("text", "import", path, *more, "--keep-going")
        assert result.exit_code in (1, 2, 3), result.output
        assert result.stderr and "Internal error" not in result.stderr
    assert {p: p.read_bytes() for p in specs.rglob("*.yaml")} == before


def test_names_that_lead_nowhere(tmp_path: Path) -> None:
    for arguments in (
        ("export", "nogame", "--lang", "uk"),
        ("export", "fortheking", "--lang", "qux"),
        ("export", "fortheking", "--lang", "uk", "--reference", "qux"),
        ("export", "fortheking", "--lang", "uk", "--output", str(tmp_path / "no" / "uk.po")),
        ("export", "fortheking", "--as", "csv", "--lang", "zh-Hans"),
        ("import", str(tmp_path / "no.po")),
        ("import", str(tmp_path)),
        ("import", "fortheking"),
        ("status", "nogame"),
        ("render", "fortheking", "--lang", "qux"),
    ):
        result = ftk("text", *arguments)
        assert result.exit_code == 3, arguments
        assert result.stderr.startswith("ftk: ") and "\n  " in result.stderr
    assert ftk("text", "export", "fortheking").exit_code == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", ["export", "import", "status", "render"])
def test_help_shows_an_example(command: str) -> None:
    shown = ftk("text", command, "--help").stdout
    assert "Examples:" in shown and f"ftk text {command} " in shown


def test_a_baseline_sets_aside_what_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    raw, run = Path("rules.txt"), CliRunner().invoke
    arguments = ["text", "check", "rules.txt", "--lang", "en", "--spec", "fortheking"]
    raw.write_text(RAW, encoding="utf-8")
    assert run(main, [*arguments, "--write-baseline", "known.json"]).exit_code == 0
    assert run(main, [*arguments, "--baseline", "known.json", "--fail-on", "info"]).exit_code == 0
    raw.write_text(RAW.replace("Shuffle the favour deck", "Shufle the favvour deck"), encoding="utf-8")
    assert "favvour" in run(main, [*arguments, "--baseline", "known.json"]).output
    raw.write_text("\n".join(RAW.splitlines()[:-2]), encoding="utf-8")
    listed = json.loads(Path("known.json").read_text(encoding="utf-8"))
    listed["findings"].append({"path": "rules.txt", "code": "RS950", "at": "", "rule": "", "message": "mended since"})
    Path("known.json").write_text(json.dumps(listed), encoding="utf-8")
    assert "baseline-unused" in run(main, [*arguments, "--baseline", "known.json"]).output


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"findings": [1]}', '{"findings": 3}'])
def test_a_broken_baseline_is_reported(tmp_path: Path, content: str) -> None:
    raw, known = tmp_path / "rules.txt", tmp_path / "known.json"
    raw.write_text(RAW, encoding="utf-8")
    known.write_text(content, encoding="utf-8")
    arguments = ["text", "check", str(raw), "--lang", "en", "--spec", "fortheking", "--baseline"]
    for path in (known, tmp_path / "none.json"):
        done = CliRunner().invoke(main, [*arguments, str(path)])
        assert done.exit_code == 3 and "Traceback" not in done.output
