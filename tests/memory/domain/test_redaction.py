import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.domain import redaction as rules
from memory.domain.redaction import redact

CASES = os.environ.get("LONGHAND_CASES")
KEY_BODY = "MIIFAKEFAKEFAKEFAKEFAKEFAKE\nFAKEFAKEFAKEFAKEFAKEFAKE00=="


@pytest.mark.parametrize(
    ("text", "secret", "kind"),
    [
        ("the key is sk-TESTONLYa1B2c3D4e5F6g7H8 ok", "sk-TESTONLYa1B2c3D4e5F6g7H8", "API key"),
        ("sk-proj-0FAKE0fake0FAKE_0fake", "sk-proj-0FAKE0fake0FAKE_0fake", "API key"),
        ("use ghp_FAKE0fake0FAKE0fake0FAKE00", "ghp_FAKE0fake0FAKE0fake0FAKE00", "API key"),
        ("xoxb-000000000000-FAKEfake", "xoxb-000000000000-FAKEfake", "API key"),
        ("AKIAFAKEFAKEFAKE0000.", "AKIAFAKEFAKEFAKE0000", "API key"),
        ("Authorization: Bearer fake.token-1", "fake.token-1", "bearer token"),
        ('curl -H "authorization: Basic ZmFrZTpmYWtl"', "ZmFrZTpmYWtl", "bearer token"),
        ("send bearer fakeFAKE0123456789 with it", "fakeFAKE0123456789", "bearer token"),
        ("jwt eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0.c2ln end", "eyJzdWIiOiJ4In0", "token"),
        ("postgres://svc:hunter2fake@db.example.org/app", "hunter2fake", "password"),
        ("redis://:p@ss:w0rd@cache.example:6379/0", "p@ss:w0rd", "password"),
        ("password: Tr0ub4dor&3-fake", "Tr0ub4dor&3-fake", "password"),
        ("the password is Made!UpWord, thanks", "Made!UpWord", "password"),
        ("DB_PASSWORD=correct0horse", "correct0horse", "password"),
        ("card 4000 0000 0000 0002 today", "4000 0000 0000 0002", "card number"),
        ("his social security number: 000-00-1234", "000-00-1234", "identity number"),
        ("the verification code is 000123", "000123", "one-time code"),
        (
            f"-----BEGIN RSA PRIVATE KEY-----\n{KEY_BODY}\n-----END RSA PRIVATE KEY-----",
            "FAKEFAKE",
            "private key",
        ),
        (
            f"-----BEGIN PRIVATE\nKEY-----\r\n{KEY_BODY}\r\n-----END\nPRIVATE KEY-----",
            "FAKEFAKE",
            "private key",
        ),
        (f"cut off: -----BEGIN PRIVATE KEY-----\n{KEY_BODY}", "FAKEFAKE", "private key"),
    ],
)
def test_redact_masks_only_the_secret(text, secret, kind):
    redaction = redact(text)

    assert secret not in redaction.text
    assert redaction.found == (kind,)
    assert f"[secret: {kind}]" in redaction.text


def test_redact_keeps_the_words_around_a_secret():
    url = redact("see postgres://svc:hunter2fake@db.example.org/app now").text
    pem = redact(f"a\n-----BEGIN PRIVATE KEY-----\n{KEY_BODY}\n-----END PRIVATE KEY-----\nb").text
    cut = redact(f"-----BEGIN PRIVATE KEY-----\n{KEY_BODY}\nhello there").text

    assert url == "see postgres://svc:[secret: password]@db.example.org/app now"
    assert pem == "a\n[secret: private key]\nb"
    assert cut.endswith("\nhello there")


def test_redact_lists_each_kind_once_in_order_of_the_rules():
    redaction = redact("sk-FAKE0fake0FAKE0fake0 sk-FAKE1fake1FAKE1fake1 password=fake00!x")

    assert redaction.found == ("API key", "password")


@pytest.mark.parametrize(
    "text",
    [
        "The bakery password policy requires 12 characters",
        "No API key is needed in the demo build",
        "Reset tokens expire after one hour",
        "She passed the key exam in Bern",
        "commit 3f2a9c1b4d5e6f708192a3b4c5d6e7f801234567 fixed the roof bug",
        "She is the bearer of news from 2024",
        "I forgot my password",
        "The password is wrong!",
        "The password was changed!",
        "password: required",
        "The password is sha256-hashed",
        "Authorization: Bearer <token>",
        "https://example.org:8080/a@b",
        "git@example.org:team/repo.git",
        "call 020 7946 0182 or +44 20 7946 0182",
        "order 4000 0000 0000 0003",
        "sk-learn-is-a-nice-short-name-for-it",
        "The pin fell off in 2024",
        "-----BEGIN CERTIFICATE-----\nMIIC\n-----END CERTIFICATE-----",
    ],
)
def test_redact_keeps_text_that_only_mentions_secrets(text):
    redaction = redact(text)

    assert redaction.text == text
    assert redaction.found == ()


FRAGMENTS = (
    "sk-", "sk-FAKE0fake0FAKE0fake0", "password", ": ", " is ", "secret", "[secret: password]",
    "@host", "://", "a:", "bearer ", "eyJ", ".", "A1b2C3d4E5!", "-----BEGIN PRIVATE KEY-----",
    "\n", "card ", "-----END PRIVATE KEY-----", "4000 0000 0000 0002", "Authorization: ", "=",
    "token", "pin ", "000123",
)  # fmt: skip


@given(st.lists(st.sampled_from(FRAGMENTS), max_size=14).map("".join))
def test_redact_is_idempotent(text):
    once = redact(text).text

    assert redact(once).text == once


@given(st.text(alphabet=st.characters()))
def test_redact_accepts_any_text(text):
    redaction = redact(text)

    assert bool(redaction.found) == (redaction.text != text)


@pytest.mark.parametrize(
    "fragment", [*FRAGMENTS, "sk-sk-", "a://b:c", "eyJaaaaaaaaa.", "1 ", "A", "password is "]
)
def test_redact_finishes_when_a_fragment_repeats_to_the_limit(fragment):
    text = (fragment * 100_000)[:100_000]

    once = redact(text).text

    assert redact(once).text == once


@pytest.mark.skipif(CASES is None, reason="LONGHAND_CASES is unset: no handed-over cases to check")
def test_redact_meets_the_handed_over_cases():
    cases = json.loads((Path(CASES or "") / "handed/MEM-17_secrets.json").read_text("utf-8"))

    assert cases["must_mask"]
    assert cases["must_keep"]
    assert [text for text in cases["must_mask"] if not redact(text).found] == []
    assert [text for text in cases["must_keep"] if redact(text).found] == []


NAMES = (
    *("password", "Passphrase", "PASSWD", "pwd", "pw", "api key", "Auth-Token", "client secret"),
    *("credentials", "密码", "令牌", "otp", "PIN number", "login code", "CVV2", "验证码", "安全码"),
    *("card", "Card no. ", "银行卡", "ssn", "social security", "discard", "key", "code"),
    *("PİN", "pın", "credentıals", "AUTHORİZATİON: Bearer"),
)
BETWEEN = (
    *(" is ", "\twas\n", " İs ", ":", " = ", '": "', "是", "为：", " ", "\n", ", ", "ß", " and "),
)
VALUES = (
    *("hunter2!", "Made!UpWord", "0042", "000123", "4000000000000002", "000-00-1234", "plain"),
    *("sk-FAKE0fake0FAKE0fake0", "sk_", "xoxb-000000000000-FAKE", "AKIAFAKEFAKEFAKE0000", "AIza"),
    *("ghp_FAKE0fake0FAKE0fake0FAKE00", "hf_", "SG.", "npm_", "pypi-", "FAKE0fake0" * 4, "----"),
)


@given(st.lists(st.sampled_from((*NAMES, *BETWEEN, *VALUES)), max_size=12).map("".join))
def test_no_rule_that_would_mask_something_is_passed_over(text):
    once = redact(text).text

    for rule in rules._RULES:
        assert rules._masked_by(rule, once, {}) == once
