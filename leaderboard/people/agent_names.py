"""The names of agents: their normal form, and which of them people would take for another name.

A name is stored in Unicode's form NFKC, in which a wide letter, a ligature or a space of another width is the
ordinary one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby
from typing import Final

from optarena.documents import kinds
from optarena.documents.kinds import Kind, ValueRefused
from optarena.documents.places import Place

_CAPITALS: Final = {
    "ABEZHIKMNOPTYX": "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
    "ABEKMHOPCTXSIJY": "АВЕКМНОРСТХЅІЈҮ",
    "OSU": "ՕՏՍ",
    "333Z": "ЗƷȜƵ",
}
# Capital and small letters of other scripts that look like Latin ones, in the same order.
_SMALL: Final = {
    "aivkoptuxywn": "αινκορτυχγωη",
    "aeopcyxsijhbktmnr": "аеорсухѕіјһьктмпг",
    "egqwdl": "ҽԍԛԝԁӏ",
    "hnougqj": "հոօսցզյ",
    "agiih": "ɑɡɩıɦ",
    "333z": "зʒȝƶ",
}
_LATIN: Final = str.maketrans(
    {
        other: latin.lower()
        for table in (_CAPITALS, _SMALL)
        for latins, others in table.items()
        for latin, other in zip(latins, others, strict=True)
    }
)
_SAME_IN_ASCII: Final = str.maketrans("01|i", "olll")
# What may stand in one word with Latin letters. In names, Greek letters are symbols (μ, ε).
_BESIDE_LATIN: Final = frozenset(
    {"LATIN", "GREEK", "CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "COMBINING", "MODIFIER"}
)
# Scripts that hardly anybody writes names in, and whose letters together look like Latin words.
_IMITATING: Final = frozenset(
    {"CHEROKEE", "CANADIAN", "COPTIC", "LISU", "DESERET", "OSAGE", "GOTHIC", "CARIAN", "LYCIAN"}
)
# Forms of Latin letters that NFKC keeps apart.
_FORMS: Final = re.compile(r"LATIN (?:LETTER SMALL CAPITAL|SMALL LETTER SCRIPT|SMALL LETTER OPEN) ([A-Z])")
# Letters and numbers that look like a dash, which does not count where names are compared.
_STROKES: Final = str.maketrans("", "", "一ー〡ᅳ")
# Characters that nobody sees, although their categories are those of letters, marks and symbols.
_BLANKS: Final = frozenset(
    "\N{HANGUL FILLER}\N{HALFWIDTH HANGUL FILLER}\N{HANGUL CHOSEONG FILLER}\N{HANGUL JUNGSEONG FILLER}"
    "\N{BRAILLE PATTERN BLANK}\N{MUSICAL SYMBOL NULL NOTEHEAD}\N{COMBINING GRAPHEME JOINER}"
    "\N{KHMER VOWEL INHERENT AQ}\N{KHMER VOWEL INHERENT AA}\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}"
)
# They ask for a symbol in colour or in black; keyboards add them unasked.
_STYLES: Final = str.maketrans("", "", "\N{VARIATION SELECTOR-15}\N{VARIATION SELECTOR-16}")
# Numbers, with the word `version` before them.
_NUMBERS: Final = re.compile(r"(?:(?<![^\W_])v(?:er(?:sion)?)?[\s._-]*)?\d+(?:[._]\d+)*")
_SIGNS: Final = re.compile(r"[\W_]+")
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
# Categories of characters that are seen by themselves: letters, numbers, punctuation, symbols.
_SEEN: Final = frozenset("LNPS")
_MARKS: Final = 2  # Marks on one letter; more of them cover the lines around.


def agent_name(*, longest: int) -> Kind[str]:
    line = kinds.text(longest=longest, is_trimmed=True)

    def check(value: object, place: Place) -> str:
        given = line.check(value, place) or ""
        normal = line.check(normalised(given), place) or ""  # it may be longer
        if fault := unusable(normal):
            raise ValueRefused(fault, "Give a name that people can read and tell from others.")
        return normal

    return replace(line, check=check)


def normalised(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).translate(_STYLES).split())


def unusable(name: str) -> str:
    # Return a sentence that says why; empty if the name, which is in its normal form, can be used.
    hidden = next((one for one in name if one in _BLANKS or _is_unseen(one)), None)
    if hidden is not None:
        called = unicodedata.name(hidden, "") or f"U+{ord(hidden):04X}"
        return f"The name has the character {called}, which nobody sees."
    if not any(unicodedata.category(one)[0] in _SEEN for one in name):
        return "The name has no visible character of its own."
    for is_mark, group in groupby(name, key=_is_mark):
        if is_mark and len(list(group)) > _MARKS:
            return f"The name has more than {_MARKS} combining marks on one letter."
    if _is_mark(name[0]):
        return "The name begins with a combining mark."
    return next(filter(None, map(_mixture, _words(name))), "")


def _mixture(word: str) -> str:
    scripts = {unicodedata.name(letter, "").partition(" ")[0] for letter in word}
    if imitating := scripts & _IMITATING:
        return f"The word {word!r} has letters of {_listed(imitating)}, which look like Latin ones."
    if "LATIN" in scripts and scripts - _BESIDE_LATIN:
        return f"The word {word!r} mixes letters of {_listed(scripts)}, which may look alike."
    return ""


def in_latin(name: str) -> str:
    # Names in disguise are equal in this form.
    return "".join(map(_plain, name.translate(_LATIN))).casefold()


def family(name: str) -> str:
    # `Greedy`, `greedy-2` and `greedy (v1.1)` are one family; a name of numbers alone is its own.
    plain = normalised(name).casefold()
    words = _SIGNS.sub(" ", _NUMBERS.sub(" ", plain)).split()
    return " ".join(words) or plain


def same_to_the_eye(name: str, others: Iterable[str]) -> str:
    # Compare names without case, spaces and signs.
    own = _bare(name)
    return next((other for other in others if own and _bare(other) == own), "")


def _bare(name: str) -> str:
    letters = in_latin(normalised(name).translate(_STROKES))
    return "".join(one for one in letters if one == "|" or one.isalnum()).translate(_SAME_IN_ASCII)


def _plain(one: str) -> str:
    if one.isascii():
        return one
    if one.isdecimal():
        return str(unicodedata.decimal(one))
    form = _FORMS.fullmatch(unicodedata.name(one, ""))
    return form[1] if form else one


def _is_unseen(one: str) -> bool:
    return unicodedata.category(one) in _UNSEEN or "VARIATION SELECTOR" in unicodedata.name(one, "")


def _is_mark(one: str) -> bool:
    return unicodedata.category(one)[0] == "M"


def _words(name: str) -> Iterable[str]:
    runs = groupby(name, key=lambda one: unicodedata.category(one)[0] in "LM")
    return ("".join(run) for is_word, run in runs if is_word)


def _listed(scripts: Iterable[str]) -> str:
    return " and ".join(one.capitalize() for one in sorted(scripts))
