"""Numbers in the form that a cell's format gives them."""

import re
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import lru_cache
from operator import eq, ge, gt, le, lt, ne

GENERAL = "General"
_SIGNIFICANT_DIGITS = 11
_MOST_DECIMALS = 10
_LONGEST_WHOLE = 10**21
_SECTION = re.compile(r'((?:"[^"]*"|\\.|\[[^\]]*\]|[^;"\\\[])*)(?:;|$)')
# Signs in quotes or behind a backslash stand for themselves; "_x" and "*x" only fill up space.
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|_(?P<gap>.)|\*(?P<fill>.)|\[(?P<bracket>[^\]]*)\]'
    r"|(?P<general>General)|(?P<exponent>[Ee][+-])|(?P<digit>[0#?])|(?P<point>\.)|(?P<comma>,)"
    r"|(?P<percent>%)|(?P<literal>.)",
    re.IGNORECASE | re.DOTALL,
)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)(-?[\d.]+)")
_COMPARED = {"<": lt, ">": gt, "<=": le, ">=": ge, "=": eq, "<>": ne}
_CURRENCY = re.compile(r"\$([^-]*)(?:-.*)?$")
_SIGNS = str.maketrans("", "", "()-−")  # noqa: RUF001 - the minus sign is meant


@dataclass(slots=True)
class _Form:
    """One part of a format: what stands around the digits, and how many digits there are."""

    tokens: list[tuple[str, str]] = field(default_factory=list)
    condition: tuple[str, float] | None = None
    percents: int = 0
    thousands: int = 0

    @property
    def words(self) -> str:
        """What it shows besides digits."""
        return "".join(text for kind, text in self.tokens if kind == "literal")

    @property
    def has_digits(self) -> bool:
        return any(kind in {"digit", "general"} for kind, _ in self.tokens)


@lru_cache(maxsize=10_000, typed=True)
def shown_number(value: float, number_format: str) -> str:
    """The number as its cell shows it, but for what divides thousands: that depends on who looks.

    A number is never lost to a format that shows nothing.
    """
    if number_format == GENERAL:
        return general(value)
    forms = _forms(number_format)
    form, is_negative = _form_for(value, forms)
    shown = " ".join(_rendered(abs(value), form).split())
    if is_negative and any(map(str.isdigit, shown)) and shown.strip("0.%") != "":
        return f"-{shown}"
    return shown or general(value)


def shown_words(text: str, number_format: str) -> str:
    """A text in the part of the format that is for texts, if there is one."""
    if "@" not in number_format:
        return text
    (form,) = [form for form in _forms(number_format) if "@" in form.words][:1] or [_Form()]
    return form.words.replace("@", text) if form.words else text


def general(value: float) -> str:
    """A number that no format was chosen for."""
    if isinstance(value, int):
        return str(value)
    if value == int(value) and abs(value) < _LONGEST_WHOLE:
        return str(int(value))
    return f"{value:.{_SIGNIFICANT_DIGITS}g}"


@lru_cache(maxsize=1_000)
def _forms(number_format: str) -> tuple[_Form, ...]:
    parts = [found[1] for found in _SECTION.finditer(number_format)]
    # The end of the format matches once more, as a part of nothing.
    return tuple(map(_read_form, parts[:-1] or parts))


def _read_form(part: str) -> _Form:
    form = _Form()
    for found in _TOKEN.finditer(part):
        kind, text = str(found.lastgroup), found[0]
        match kind:
            case "quoted" | "escaped" | "literal":
                form.tokens.append(("literal", found[kind]))
            case "fill":
                form.tokens.append(("literal", " "))
            case "bracket":
                _read_bracket(form, found[kind])
            case "percent":
                form.percents += 1
                form.tokens.append(("literal", "%"))
            case "gap":
                pass
            case _:
                form.tokens.append((kind, text))
    form.thousands = _scale(form)
    return form


def _read_bracket(form: _Form, inside: str) -> None:
    condition, currency = _CONDITION.fullmatch(inside), _CURRENCY.match(inside)
    if condition is not None:
        form.condition = condition[1], float(condition[2])
    elif currency is not None:
        form.tokens.append(("literal", currency[1]))


def _scale(form: _Form) -> int:
    """How many thousands the number is shown in: one for each comma behind its last digit."""
    kinds = [kind for kind, _ in form.tokens if kind in {"digit", "comma", "point"}]
    whole = kinds[: kinds.index("point")] if "point" in kinds else kinds
    behind = 0
    while whole and whole[-1] == "comma":
        whole.pop()
        behind += 1
    after = kinds[len(whole) + behind :]
    while after and after[-1] == "comma":
        after.pop()
        behind += 1
    return behind if whole else 0


def _form_for(value: float, forms: tuple[_Form, ...]) -> tuple[_Form, bool]:
    """The part that holds for this number, and whether a minus sign has to be said."""
    if any(form.condition for form in forms):
        for form in forms:
            if form.condition is None or _COMPARED[form.condition[0]](value, form.condition[1]):
                return form, value < 0
        return _Form(), value < 0
    if value == 0 and len(forms) > 2:
        return forms[2], False
    if value >= 0 or len(forms) < 2:
        return forms[0], value < 0
    own = forms[1].words.translate(_SIGNS).split()
    if not forms[1].has_digits or own != forms[0].words.translate(_SIGNS).split():
        # It says in words what the number is: “owed”, “credit”.
        return forms[1], False
    return forms[0], True


def _rendered(value: float, form: _Form) -> str:
    kinds = [kind for kind, _ in form.tokens]
    if "general" in kinds or not form.has_digits:
        shown = (general(value) if kind == "general" else text for kind, text in form.tokens)
        return "".join(shown).replace("@", general(value))
    scaled = Decimal(repr(value)) * 100**form.percents / 1_000**form.thousands
    if "exponent" in kinds:
        return _scientific(scaled, form)
    if ("literal", "/") in form.tokens:
        return _fraction(scaled, form)
    return _filled(scaled, form)


def _filled(value: Decimal, form: _Form) -> str:
    """The digits in their places, from the right; the first place takes all that are left."""
    tokens = [(kind, text) for kind, text in form.tokens if kind != "comma"]
    kinds = [kind for kind, _ in tokens]
    point = kinds.index("point") if "point" in kinds else len(tokens)
    places = [text for kind, text in tokens[point:] if kind == "digit"]
    whole, _, decimals = _rounded(value, places).partition(".")
    if whole == "0" and not decimals and ("digit", "0") not in tokens[:point]:
        # A zero shows only in a place that asks for one.
        whole = ""
    before = _from_right(whole, tokens[:point])
    after = "".join(text for kind, text in tokens[point:] if kind == "literal")
    return f"{before}{f'.{decimals}' if decimals else ''}{after}"


def _from_right(digits: str, tokens: list[tuple[str, str]]) -> str:
    first = next((at for at, (kind, _) in enumerate(tokens) if kind == "digit"), None)
    shown: list[str] = []
    for at in range(len(tokens) - 1, -1, -1):
        kind, text = tokens[at]
        if kind == "literal":
            shown.append(text if digits or first is None or at < first else "")
        elif at == first:
            shown.append(digits or ("0" if text == "0" else ""))
            digits = ""
        elif digits or text == "0":
            shown.append(digits[-1:] or "0")
            digits = digits[:-1]
    return "".join(reversed(shown)) if first is not None else digits


def _rounded(value: Decimal, places: list[str]) -> str:
    number = min(len(places), _MOST_DECIMALS)
    shown = f"{value.quantize(Decimal(1).scaleb(-number), rounding=ROUND_HALF_UP):f}"
    if number:
        for place in reversed(places[:number]):
            if place == "0" or not shown.endswith("0"):
                break
            shown = shown[:-1]
    return shown.removesuffix(".")


def _scientific(value: Decimal, form: _Form) -> str:
    at = next(place for place, (kind, _) in enumerate(form.tokens) if kind == "exponent")
    power = value.adjusted() if value else 0
    mantissa = _Form(form.tokens[:at])
    digits = [text for kind, text in form.tokens[at:] if kind == "digit"]
    sign = "-" if power < 0 else "+" if "+" in form.tokens[at][1] else ""
    rest = "".join(text for kind, text in form.tokens[at:] if kind == "literal")
    shown = _filled(value.scaleb(-power), mantissa)
    return f"{shown}E{sign}{abs(power):0{len(digits)}d}{rest}"


def _fraction(value: Decimal, form: _Form) -> str:
    at = form.tokens.index(("literal", "/"))
    below = [text for kind, text in form.tokens[at:] if kind == "digit"]
    exact = Fraction(value).limit_denominator(10 ** min(len(below) or 1, 4) - 1)
    whole, part = divmod(exact.numerator, exact.denominator)
    if not part:
        return str(whole)
    shown = f"{part}/{exact.denominator}"
    return f"{whole} {shown}" if whole else shown
