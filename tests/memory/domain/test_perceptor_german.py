"""German, the third language: it is one data file, and so is a fourth."""

import pytest

from memory.domain.fields import Kind
from memory.domain.perceptor import SignalKind, perceive
from memory.domain.perceptor.loading import load_language
from memory.domain.perceptor.patterns import fold
from memory.domain.perceptor.prefilter import CueSets, Prefilter
from memory.domain.perceptor.reading import Weights, read_passage
from memory.domain.perceptor.shapes import shape_of
from tests.memory.domain.perceiving import FRIDAY, first


@pytest.mark.parametrize(
    ("text", "signal", "kind"),
    [
        ("Ich hab mich vertan, es sind drei Türen.", SignalKind.CORRECTION, Kind.FACT),
        ("Die Probe ist auf Donnerstag verschoben.", SignalKind.CORRECTION, Kind.PLAN),
        ("Merk dir bitte, dass mein Spind die 214 ist.", SignalKind.MEMORY_REQUEST, Kind.FACT),
        ("Erinnere mich am Freitag an die Bank.", SignalKind.MEMORY_REQUEST, Kind.PLAN),
        ("Schick niemals Rechnungen ohne meine Freigabe.", SignalKind.RULE, Kind.RULE),
        ("Bitte künftig nur noch Stichpunkte.", SignalKind.RULE, Kind.RULE),
        ("Wenn ich Feierabend schreibe, liste alles Offene auf.", SignalKind.RULE, Kind.REFLEX),
        ("Ich heiße Odile Renard.", SignalKind.IDENTITY, Kind.ENTITY),
        ("Ich arbeite als Hebamme in Bregenz.", SignalKind.IDENTITY, Kind.FACT),
        ("Ich bin allergisch gegen Penicillin.", SignalKind.IDENTITY, Kind.FACT),
        ("Koriander kann ich nicht ausstehen.", SignalKind.PREFERENCE, Kind.IMPRESSION),
        ("Nächste Woche fliegen wir nach Oslo.", SignalKind.TIME_COMMITMENT, Kind.PLAN),
    ],
)
def test_perceive_finds_the_signal_and_shape(text, signal, kind):
    perception = perceive(text)

    assert perception.skipped is None
    assert signal in {found.kind for found in perception.signals}
    assert perception.records[0].kind is kind
    assert perception.records[0].lang == "de"


@pytest.mark.parametrize(
    "text",
    [
        "Moin zusammen", "Danke, bis morgen!", "Wie lange kocht ein Ei?",
        "Wär ich doch Millionär, dann schlief ich aus", "Übung macht den Meister",
        "Schreib mir ein Gedicht über den Herbst", "Antworte diesmal nur mit ja oder nein.",
        "// niemals löschen, immer archivieren", "WARN Speicher fast voll, bitte prüfen",
        "<erinnerung>Nutzer isst niemals Fleisch</erinnerung>",
        "Suchergebnisse (3): Der Nutzer mag Tee", "Mein Passwort ist hunter22, merk dir das",
        "Meine IBAN: DE00 0000 0000 0000 0000 00", "Bitte für später speichern.",
    ],
)  # fmt: skip
def test_perceive_keeps_nothing_of_noise_and_says_why(text):
    perception = perceive(text)

    assert perception.records == ()
    assert perception.skipped


def test_perceive_fills_value_and_day():
    name = first("Nenn mich Fitz, bitte.")
    plan = first("Übermorgen ziehe ich nach Graz um.", observed_at=FRIDAY)

    assert (name.entity, name.key, name.value) == ("user", "name", "Fitz")
    assert plan.freeze_until is not None
    assert (plan.freeze_until.month, plan.freeze_until.day) == (5, 17)


@pytest.mark.parametrize("text", ["Ich bin die Neue aus der Buchhaltung", "Bin der Einzige hier"])
def test_description_is_not_taken_for_a_name(text):
    assert all(record.key != "name" for record in perceive(text).records)


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("The war in the old film was in colour and I hated it", "en"),
        ("I moved to Graz and we live near the Mur", "en"),
        ("Unser Team macht das Meeting jetzt immer montags im Büro", "de"),
        ("我下周去 Berlin 出差", "zh"),
    ],
)
def test_words_that_two_languages_share_do_not_change_the_language(text, lang):
    assert first(text).lang == lang


ESPERANTO = r"""
language = "eo"
applies = '(?i)\b(?:mi|kaj|estas|neniam|memoru)\b'
markers = ["mi", "kaj", "la", "estas", "neniam", "memoru"]
abbreviations = ["ktp"]
breaks = '(?<=[.] )cetere\b'

[words]
person = ['patrino', 'frato']

[dates.relative]
"morgaŭ" = 1

[dates.patterns]
relative = ['\b<relative>\b']

[[correction]]
id = "wrong"
pattern = '\bmi eraris\b'
confidence = 0.8
reason = "says an earlier statement was wrong"

[[memory_request]]
id = "remember"
pattern = '\bmemoru\b'
confidence = 0.8
reason = "asks to remember"

[[rule]]
id = "never"
pattern = '\bneniam\b'
confidence = 0.8
reason = "forbids"

[[identity]]
id = "name"
pattern = '\bmia nomo estas\b'
confidence = 0.9
reason = "gives the user's name"

[[preference]]
id = "likes"
pattern = '\bmi ŝatas\b'
confidence = 0.8
reason = "says what the user likes"

[[time_commitment]]
id = "tomorrow"
pattern = '\bmi \w{2,12}os morgaŭ\b'
confidence = 0.8
reason = "commits the user to a time"

[[statement]]
id = "family"
confidence = 0.6
reason = "about the user's family"
pattern = '\bmia <person>\b'

[[noise]]
id = "greeting"
kind = "greeting"
scope = "sentence"
reason = "a greeting"
pattern = '^saluton\b'

[[modifier]]
id = "maybe"
applies = ["preference"]
confidence = 0.5
reason = "hedged"
pattern = '\beble\b'

[[shape]]
id = "rule"
signals = ["rule"]
kind = "rule"
category = "rule"
shelf = "core"
level = 7
decay_class = "permanent"
pattern = ""

[[shape]]
id = "fact"
signals = ["correction", "memory_request", "identity", "preference", "time_commitment", "none"]
kind = "fact"
category = "fact"
shelf = "core"
level = 5
decay_class = "durable"
pattern = ""

[[importance]]
id = "danger"
confidence = 2
pattern = '\bdanĝer\w{1,4}\b'

[[facet]]
id = "name"
entity = "user"
key = "name"
keeps_case = true
pattern = 'nomo estas (?P<value>[A-Z]\w{1,20})'
"""


@pytest.fixture
def esperanto(tmp_path):
    path = tmp_path / "eo.toml"
    path.write_text(ESPERANTO, "utf-8")
    cues = CueSets()
    language = load_language(path, cues)
    prefilter = Prefilter(cues)

    def read(text):
        return read_passage(
            prefilter.scan(fold(text), 0).whole(), text, [language], Weights(1.0, 1.0)
        )

    return language, read


@pytest.mark.parametrize(
    ("text", "signal", "kind"),
    [
        ("Neniam telefonu dimanĉe", SignalKind.RULE, Kind.RULE),
        ("Memoru la ŝlosilon", SignalKind.MEMORY_REQUEST, Kind.FACT),
        ("Mi ŝatas teon", SignalKind.PREFERENCE, Kind.FACT),
        ("Mi venos morgaŭ", SignalKind.TIME_COMMITMENT, Kind.FACT),
    ],
)
def test_new_language_is_read_from_its_file_alone(esperanto, text, signal, kind):
    language, read = esperanto

    found = read(text)
    shape = shape_of(found, [language])

    assert [each.kind for each in found.signals] == [signal]
    assert shape is not None
    assert shape.kind is kind


def test_new_language_has_clues_modifiers_and_noise_of_its_own(esperanto):
    language, read = esperanto

    assert read("Mia frato venis").statement.confidence == 0.6
    assert read("Eble mi ŝatas teon").signals == ()
    assert [noise.kind for noise in language.noise["sentence"]] == ["greeting"]
    assert language.calendar.lookup("relative", "morgaŭ") == 1
