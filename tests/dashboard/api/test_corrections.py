"""What is said later, over REST: the answer says what it replaced, and the old one stays known."""

import pytest

from memory.models import Turn, across_owners


def say(api, text, **more):
    body = {"conversation": "talk", "role": "user", "text": text, **more}
    answer = api("post", "turns", body).json()
    assert len(answer["captured"]) == 1, answer["skipped"]
    return answer["captured"][0]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I live in Leeds.", "I live in York."),
        ("I live in Leeds.", "Actually, I live in York, not in Leeds."),
        (
            "Remember: the launch is on May 13.",
            "Correction: the launch is on May 15, not May 13.",
        ),
    ],
)
def test_turn_says_what_it_replaced(api, old, new):
    first, second = say(api, old), say(api, new)

    assert second["supersedes"] == [first["id"]]
    replaced = api("get", f"facts/{first['id']}").json()
    assert (replaced["status"], replaced["superseded_by_id"]) == ("superseded", second["id"])
    assert (second["kind"], second["category"]) == (first["kind"], first["category"])
    found = api("get", "facts").json()["facts"]
    assert [fact["id"] for fact in found] == [second["id"]]
    with across_owners():
        (noted,) = Turn.objects.latest("pk").captured
    assert noted["supersedes"] == [first["id"]]


def test_turn_of_long_ago_does_not_replace_what_is_newer(api):
    say(api, "I live in York.", observed_at="2026-05-02T12:00:00Z")

    late = say(api, "I live in Leeds.", observed_at="2026-05-01T12:00:00Z")

    assert late["status"] == "superseded"
    assert "newer" in late["note"]


def test_correction_of_nothing_says_so(api):
    captured = say(api, "Correction: the launch is on May 15, not May 13.")

    assert "not remembered" in captured["note"]
    assert "supersedes" not in captured


def test_posted_value_says_what_it_replaced_and_takes_attributes(api):
    told = {"entity": "Tamsin", "key": "phone"}
    first = api("post", "facts", {"text": "Tamsin: 555 0101", "value": "555 0101", **told}).json()

    answer = api(
        "post",
        "facts",
        {
            "text": "Tamsin: 555 0199",
            "value": "555 0199",
            "confidence": 0.8,
            "attributes": {"people": ["Tamsin"], "expire_at": "2032-01-01T00:00:00Z"},
            **told,
        },
    )

    fact = answer.json()
    assert (answer.status_code, fact["supersedes"]) == (201, [first["id"]])
    assert (fact["confidence"], fact["attributes"]) == (0.8, {"people": ["Tamsin"]})
    assert fact["expires_at"].startswith("2032-01-01")


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"attributes": {"mood": "glad"}}, "attributes"),
        ({"attributes": {"salience": 3}}, "attributes.salience"),
        ({"attributes": {"x-believed": 1}}, "attributes.x-believed"),
        ({"attributes": {"activate_at": "soon"}}, "attributes.activate_at"),
        ({"confidence": 2}, "confidence"),
    ],
)
@pytest.mark.parametrize("method", ["post", "patch"])
def test_attribute_that_is_wrong_is_named(api, fact, method, changes, field):
    path = "facts" if method == "post" else f"facts/{fact.pk}"
    body = {"text": "Something", **changes} if method == "post" else changes

    answer = api(method, path, body)

    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"] == field


def test_patch_keeps_attributes_that_it_does_not_give(api, fact):
    api("patch", f"facts/{fact.pk}", {"attributes": {"people": ["Ines"], "topics": ["build"]}})

    answer = api("patch", f"facts/{fact.pk}", {"attributes": {"topics": None, "critical": True}})

    assert answer.json()["attributes"] == {"people": ["Ines"]}
    assert answer.json()["critical"] is True
