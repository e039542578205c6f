"""Simplified characters in Traditional Chinese, and Traditional ones in Simplified Chinese."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

import regex

from rulespec.base.diagnostics import Finding
from rulespec.base.messages import Message, say
from rulespec.text.checks.typography.layout import folded, language
from rulespec.text.languages.han import converted
from rulespec.text.reading.clauses import passages
from rulespec.text.reading.prose import Prose

_HAN = regex.compile(r"\p{Han}")

# A text with single mistakes has a few different wrong characters, a text in the other script has hundreds.
_MANY = 12

_FEWEST = 3
"""How many different characters of the other form make a sentence one that was left in it."""

_OWN = {True: "tw2s", False: "s2tw"}
"""The configuration of OpenCC that writes a text in its own form, by whether that is the Simplified one."""

_NAME = "(?!先生|小姐|女士|太太|老師|老师|右任|姓)"

# Simplified characters that are also Traditional ones (后, 里, 于, …): each with its Traditional form, and a pattern
# for the contexts in which it is the Simplified form. 公里, 皇后, 于先生 and 游泳 are correct Traditional Chinese.
_SHARED = (
    ("么", "麼", "(?<=[什怎這那這多])么"),
    ("几", "幾", "几(?=[個个張张位次名回輪轮乎種种])|(?<=[第好])几"),
    ("后", "後", "(?<=[最之然以先隨随往稍])后(?![妃宮宫冠])|(?<![皇王母太天影歌仙])后(?=[面手續续方退果悔])"),
    (
        "里",
        "裡",
        "(?<=[手這这那哪心家堆盒桌袋格夜庫库池筐箱牌組组包子])里(?![長长程民斯約约])|(?<![公英海])里(?=[面頭头邊边])(?!面積)",
    ),
    ("游", "遊", "(?<![上中下])游(?=[戲戏樂乐玩覽览客園园行記记])|(?<=[桌旅導导郊])游(?![泳向到標标])"),
    ("采", "採", "(?<![風风神文精喝丰光多高])采(?=[用取集購购納纳訪访摘收樣样])|(?<=[開开])采"),
    (
        "于",
        "於",
        "(?<=[等高低大小多少屬属位由對对至处處便基用關关終终在介限過过優优早晚先後后放置])于"
        + _NAME
        + "|(?<![姓單单])于(?=是)",
    ),
    ("筑", "築", "(?<=[建構构修])筑|筑(?=[路起城牆墙堤成])"),
    (
        "余",
        "餘",
        "(?<=[其剩多殘残業业盈節节])余" + _NAME + "|(?<!姓)余(?=[下額额數数])|(?<=[十百千萬万])余(?=[個个張张名])",
    ),
    ("准", "準", "(?<=[標标基水瞄精])准|准(?=[備备確确則则])"),
    ("划", "劃", "(?<=[計计規规策])划|划(?=[分定])"),
    ("斗", "鬥", "(?<=[戰战決决爭争搏格奮奋])斗|斗(?=[爭争])"),
    ("制", "製", "(?<![限控機机體体管強强法抑節节牽])制(?=[作造成])"),
    ("只", "隻", "(?<=[一二三四五六七八九十兩两幾几\\d])只(?=[羊牛豬猪鳥鸟狗貓猫雞鸡馬马])"),
    ("松", "鬆", "(?<=[放輕轻])松(?![樹树木鼠果林])"),
    ("系", "係", "(?<=關)系(?![統统列])"),
    ("系", "繫", "(?<=[聯联])系(?![統统列])"),
    ("征", "徵", "(?<=[象特])征|(?<![出遠远長长親亲])征(?=[收求召])"),
    ("干", "乾", "(?<!若)干(?=[淨净燥杯])"),
    ("并", "並", "(?<![合吞兼])并(?=[且非將将])"),
    ("范", "範", "(?<=[規规模示])范|范(?=[圍围例])"),
    ("丰", "豐", "丰(?=[富收盛])"),
    ("愿", "願", "愿(?=[意望])|(?<=[自志情])愿"),
    ("听", "聽", "听(?=[到見见從从])"),
    ("坏", "壞", "(?<=[破損损毀毁])坏"),
    ("扑", "撲", "扑(?=克)"),
    ("仆", "僕", "仆(?=[人役從从])"),
    ("云", "雲", "云(?=[朵霧雾])|(?<=[白烏乌])云"),
    ("儿", "兒", "儿"),
)
_IN_WORDS = tuple((char, right, regex.compile(words)) for char, right, words in _SHARED)


def other_han_forms(prose: Prose) -> Iterator[Finding]:
    """Characters of the other Chinese script: one finding per character, or for each sentence that is in it throughout;
    one for the text if there are many."""
    form = language(prose).han_form
    if not form:
        return
    simplified = form == "simplified"
    chars = frozenset(_HAN.findall(prose.text))
    proper = {char: right for char, right in _proper(chars, simplified).items() if right != char}
    places: dict[str, list[tuple[int, int]]] = {char: [] for char in proper}
    for i, char in enumerate(prose.text):
        if char in proper:
            places[char].append((i, i + 1))
    if len(places) <= _MANY:
        for start, end in _left_in_other_form(prose, proper, simplified):
            said, script = prose.text[start:end], say("Traditional") if simplified else say("Simplified")
            message = say(
                "“{said}” is written in {script} characters, not in {lang}.", said=said, script=script, lang=prose.lang
            )
            hint = say("Write {proper}.", proper=converted(said, _OWN[simplified]))
            yield prose.say("other-han-form", message, start, end, hint)
            places = {char: [at for at in found if not start <= at[0] < end] for char, found in places.items()}
    yield from _say(prose, places, proper, say("Traditional") if simplified else say("Simplified"))
    # In a text that is Simplified throughout, single characters are not reported.
    if not simplified and len(places) <= _MANY:
        for char, right, pattern in _IN_WORDS:
            found = [match.span() for match in pattern.finditer(prose.text)]
            message = say(
                "“{char}” is the Simplified form in this word. The Traditional form is {right}.", char=char, right=right
            )
            yield from folded(prose, "other-han-form", found, message, say("Write {right}.", right=right))


def _left_in_other_form(prose: Prose, proper: Mapping[str, str], simplified: bool) -> Iterator[tuple[int, int]]:
    """Sentences in the other script throughout: with several of its characters, and none of the own script alone."""
    for sentence in passages(prose.text, language(prose), 0, len(prose.text)):
        chars = frozenset(_HAN.findall(prose.text[sentence.start : sentence.end]))
        if len(chars & proper.keys()) >= _FEWEST:
            rest = sorted(chars - proper.keys())
            if _convert("s2t" if simplified else "t2s", rest) == rest:
                found = list(_HAN.finditer(prose.text, sentence.start, sentence.end))
                yield found[0].start(), found[-1].end()


def _say(
    prose: Prose, places: dict[str, list[tuple[int, int]]], proper: dict[str, str], script: Message
) -> Iterator[Finding]:
    if len(places) > _MANY:
        message = say(
            "The text has {number} different {script} characters, but its language is {lang}.",
            number=len(places),
            script=script,
            lang=prose.lang,
        )
        hint = say("Convert the text, or correct its language tag.")
        yield from folded(prose, "other-han-form", [min(min(found) for found in places.values())], message, hint)
        return
    for char, found in places.items():
        message = say(
            "“{char}” is a {script} character. The form in {lang} is {proper}.",
            char=char,
            script=script,
            lang=prose.lang,
            proper=proper[char],
        )
        yield from folded(prose, "other-han-form", found, message, say("Write {proper}.", proper=proper[char]))


@lru_cache(maxsize=16)
def _proper(chars: frozenset[str], simplified: bool) -> dict[str, str]:
    """Maps each character to its form in the script of the text, or to itself if it is correct there."""
    order = sorted(chars)
    # One call for all characters. Each is on its own line, so that OpenCC finds no phrases.
    to_simplified = _convert("t2s", order)
    if simplified:
        return {c: c if _ordinary_simplified(c) else s for c, s in zip(order, to_simplified, strict=True)}
    # Taiwan and Hong Kong differ in some characters (著 and 着). Both forms are accepted.
    forms = zip(order, to_simplified, _convert("s2tw", order), _convert("s2hk", order), strict=True)
    return {c: t if s == c and c not in (t, h) and not _ordinary_traditional(c) else c for c, s, t, h in forms}


def _convert(config: str, chars: list[str]) -> list[str]:
    return converted("\n".join(chars), config).split("\n") if chars else []


def _ordinary_traditional(char: str) -> bool:
    """Whether a character is in level 1 of Big5, the 5401 common Traditional characters (with 后, 里, 干 and 台)."""
    try:
        return b"\xa4\x40" <= char.encode("big5") <= b"\xc6\x7e"
    except UnicodeEncodeError:
        return False


def _ordinary_simplified(char: str) -> bool:
    """Whether a character is in GB 2312, the Simplified character set, without three that it has for names only."""
    try:
        char.encode("gb2312")
    except UnicodeEncodeError:
        return False
    return char not in "後於摺"
