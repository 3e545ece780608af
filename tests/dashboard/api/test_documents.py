"""Documents over REST: stored once, followed, stopped, handed back as a download."""

import json
import re
from pathlib import Path

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile

from ingest.models import Document
from ingest.tasks import read_next_document
from memory.models import Fact, across_owners
from tests.cases.handed import at_once
from tests.fixtures import Api, add_document, agent_of

HANDED = Path(__file__).parents[2] / "data/handed"


def upload(api, name="note.txt", data=b"The bin day is Tuesday.", **fields):
    file = SimpleUploadedFile(name, data)
    return api.client.post("/api/v1/documents", {"file": file, **fields})


def content(response):
    return b"".join(response.streaming_content)


def test_uploaded_file_is_stored_and_queued(api):
    response = upload(api, tags=["home", "town"])

    assert response.status_code == 202
    answer = response.json()
    assert (answer["name"], answer["status"], answer["reason"]) == ("note.txt", "queued", None)
    assert (answer["tags"], answer["scope"]) == (["home", "town"], {"kind": "user"})
    assert answer["size_bytes"] == 23
    assert api("get", f"documents/{answer['id']}").json() == answer | {"members": []}


def test_text_is_stored_as_a_document(api):
    response = api("post", "documents", {"text": "The bin day is Tuesday.", "name": "bins.md"})

    assert response.status_code == 202
    assert response.json()["name"] == "bins.md"
    assert content(api("get", f"documents/{response.json()['id']}/file")) == (
        b"The bin day is Tuesday."
    )


def test_same_bytes_are_the_same_document_whatever_their_name(api):
    first = upload(api).json()

    response = upload(api, name="other.txt")

    assert response.status_code == 200
    assert (response.json()["id"], response.json()["duplicate"]) == (first["id"], True)


def test_same_bytes_of_another_owner_are_another_document(api, bob_api):
    first, second = upload(api), upload(bob_api)

    assert second.status_code == 202
    assert first.json()["id"] != second.json()["id"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "text"),
        ({"text": " \n"}, "text"),
        ({"text": "x", "url": "http://127.0.0.1"}, "url"),
        ({"text": "x", "scope": "everybody"}, "scope"),
        ({"text": "x", "tags": ["y" * 65]}, "tags"),
    ],
)
def test_text_that_cannot_be_stored_is_refused_with_its_field(api, body, field):
    response = api("post", "documents", body)

    assert response.status_code == 400
    assert response.json()["errors"][0]["field"].startswith(field)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({}, "Send a file in the form field “file”, or text or a url as JSON."),
        ({"name": "bins.md"}, "Send a file in the form field “file”, or text or a url as JSON."),
        ({"text": "x", "url": "https://example.org"}, "Send text or a url, not both."),
    ],
)
def test_body_with_nothing_or_two_things_to_keep_is_told_what_to_send(api, body, told):
    assert api("post", "documents", body).json()["detail"] == told
    assert api("get", "documents").json()["documents"] == []


def test_request_without_a_body_is_told_what_to_send(api):
    response = api.client.post("/api/v1/documents", content_type="application/json")

    assert response.status_code == 400
    assert response.json()["detail"].startswith("Send a file in the form field “file”")


@pytest.mark.parametrize(
    "form", [{"tags": ["x"]}, {"upload": SimpleUploadedFile("b.txt", b"B")}, {"color": "red"}]
)
def test_upload_without_a_file_in_its_field_is_told_where_it_goes(api, form):
    response = api.client.post("/api/v1/documents", form)

    assert response.status_code == 400
    assert response.json()["errors"] == [
        {"field": "file", "detail": "Send the file in the form field “file”."}
    ]


def test_empty_file_is_refused_and_leaves_no_row(api):
    response = upload(api, name="zero.pdf", data=b"")

    assert response.status_code == 400
    assert "zero.pdf is empty" in response.json()["detail"]
    assert api("get", "documents").json()["documents"] == []


def test_file_over_the_limit_is_refused_with_the_remedy(api, settings):
    settings.LONGHAND_MAX_UPLOAD_BYTES = 10

    response = upload(api)

    assert response.status_code == 400
    assert "LONGHAND_MAX_UPLOAD_MB" in response.json()["detail"]


@pytest.mark.parametrize(
    "scope",
    [
        "everybody",
        '{"kind": "everybody"}',
        '{"kind": "user"',
        '{"kind": "user", "color": "red"}',
        '["user"]',
        "7",
        "{" * 50_000,
    ],
)
def test_upload_to_an_unknown_scope_is_refused_in_words_of_the_api(api, scope):
    response = upload(api, scope=scope)

    assert response.status_code == 400
    detail = response.json()["detail"]
    assert detail.startswith("scope")
    assert not re.search(r"ScopeIn|literal|pydantic|JSON input", detail)


@pytest.mark.parametrize("as_json", [json.dumps, lambda scope: scope["kind"]])
def test_upload_names_its_scope_as_a_json_body_does(api, as_json):
    assert upload(api, scope=as_json({"kind": "user"})).json()["scope"] == {"kind": "user"}


def test_upload_names_the_agent_of_its_scope(api, alice):
    agent_of(alice, "quill")
    scope = {"kind": "agent", "agent": "quill"}

    assert upload(api, scope=json.dumps(scope)).json()["scope"] == scope


@pytest.mark.parametrize("fields", [{"color": "red"}, {"other": SimpleUploadedFile("b.txt", b"B")}])
def test_upload_with_an_unknown_field_is_refused(api, fields):
    response = upload(api, **fields)

    assert response.status_code == 400
    assert response.json()["errors"][0]["field"] == next(iter(fields))
    assert api("get", "documents").json()["documents"] == []


@pytest.mark.parametrize("number", [2, 101])
def test_upload_of_many_files_at_once_is_refused_whole(api, number, caplog):
    files = [SimpleUploadedFile(f"{each}.txt", b"%d" % each) for each in range(number)]

    response = api.client.post("/api/v1/documents", {"file": files})

    assert response.status_code == 400
    assert "one file with each request" in response.json()["detail"]
    assert "Traceback" not in caplog.text
    assert api("get", "documents").json()["documents"] == []


@pytest.mark.parametrize("name", ["..", ".", "/", "../..", "\\", "\x07"])
def test_file_whose_name_means_a_folder_is_stored_without_one(api, name):
    head = f'--edge\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
    body = f"{head}The bin day is Tuesday.\r\n--edge--\r\n"

    response = api.client.post(
        "/api/v1/documents", body.encode(), content_type="multipart/form-data; boundary=edge"
    )

    assert response.status_code == 202
    assert response.json()["name"] == "untitled"


def test_upload_to_global_is_for_staff_only(api):
    assert upload(api, scope="global").status_code == 403


@pytest.mark.parametrize("name", json.loads((HANDED / "SEC-07_upload_names.json").read_text()))
def test_name_of_a_file_is_text_to_show_and_never_a_path(api, name):
    response = api("post", "documents", {"text": "Plain text.", "name": name})

    assert response.status_code == 202
    shown = response.json()["name"]
    assert shown
    assert len(shown) <= 255
    assert not set(shown) & {"/", "\x00"}
    with across_owners():
        stored = Document.objects.get().file
    root = Path(default_storage.path("documents"))
    assert Path(default_storage.path(stored)).parent == root
    assert content(api("get", f"documents/{response.json()['id']}/file")) == b"Plain text."


def test_list_pages_by_cursor_the_newest_first(api, alice):
    for number in range(5):
        add_document(alice, f"{number}.txt")

    seen, asked = [], {"limit": 2}
    while asked:
        page = api("get", "documents", asked).json()
        seen += [document["name"] for document in page["documents"]]
        asked = {"limit": 2, "cursor": page["next_cursor"]} if page["next_cursor"] else None

    assert seen == [f"{number}.txt" for number in reversed(range(5))]


def test_list_is_filtered_by_status(api, alice):
    add_document(alice, "a.txt")
    add_document(alice, "b.txt", status="failed", reason="Damaged.")

    (failed,) = api("get", "documents", {"status": "failed"}).json()["documents"]

    assert (failed["name"], failed["reason"]) == ("b.txt", "Damaged.")


@pytest.mark.parametrize("asked", [{"cursor": "nope"}, {"limit": 0}, {"limit": 201}])
def test_list_refuses_a_question_it_does_not_understand(api, asked):
    assert api("get", "documents", asked).status_code == 400


def test_waiting_document_is_canceled(api, alice):
    document = add_document(alice, "a.txt")

    response = api("post", f"documents/{document.pk}/cancel")

    assert (response.status_code, response.json()["status"]) == (200, "canceled")


@pytest.mark.parametrize(
    ("status", "action"),
    [("done", "cancel"), ("failed", "cancel"), ("queued", "retry"), ("done", "retry")],
)
def test_document_in_another_state_refuses_the_action(api, alice, status, action):
    document = add_document(alice, "a.txt", status=status)

    response = api("post", f"documents/{document.pk}/{action}")

    assert response.status_code == 400
    assert status in response.json()["detail"]


@pytest.mark.parametrize("status", ["failed", "canceled"])
def test_document_that_ended_without_success_is_read_again(api, alice, status):
    document = add_document(alice, "a.txt", status=status, reason="Damaged.", attempts=3)

    answer = api("post", f"documents/{document.pk}/retry").json()

    assert (answer["status"], answer["reason"]) == ("queued", None)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_document_is_read_found_and_deleted_with_all_that_hangs_off_it(api):
    document = upload(api, data=b"The bin day is Tuesday, says the town hall.").json()

    read_next_document()

    done = api("get", f"documents/{document['id']}").json()
    assert (done["status"], done["chunks"], done["progress"]["chunks_embedded"]) == ("done", 1, 1)
    (found,) = api("post", "recall", {"query": "bin day"}).json()["results"]
    assert found["fact"]["document"]["id"] == document["id"]
    assert api("get", "facts").json()["facts"] == []
    with across_owners():
        file = Document.objects.get().file

    assert api("delete", f"documents/{document['id']}").status_code == 204
    assert api("get", f"documents/{document['id']}").status_code == 404
    assert api("post", "recall", {"query": "bin day"}).json()["results"] == []
    assert not default_storage.exists(file)
    with across_owners():
        assert Fact.objects.count() == 0


@pytest.mark.parametrize("name", ["SEC-03_active.html", "SEC-03_active.svg"])
@pytest.mark.parametrize("address", ["/api/v1/documents/{}/file", "/documents/{}/file/"])
def test_active_file_is_handed_back_as_a_download_that_runs_nothing(api, alice, name, address):
    data = (HANDED / name).read_bytes()
    document = upload(api, name=name, data=data).json()
    api.client.force_login(alice)

    response = api.client.get(address.format(document["id"]))

    assert content(response) == data
    assert response["Content-Disposition"] == f'attachment; filename="{name}"'
    assert response["Content-Type"] == "application/octet-stream"
    assert response["X-Content-Type-Options"] == "nosniff"
    policy = response["Content-Security-Policy"]
    assert "sandbox" in policy
    assert "default-src 'none'" in policy
    assert "script-src" not in policy


def test_name_that_is_no_ascii_is_kept_in_the_download(api):
    document = upload(api, name="Prüfbericht März.txt").json()

    response = api("get", f"documents/{document['id']}/file")

    assert "filename*=utf-8''Pr%C3%BCfbericht%20M%C3%A4rz.txt" in response["Content-Disposition"]


def test_missing_file_is_told_with_the_remedy(api, alice):
    document = add_document(alice, "a.txt")
    default_storage.delete(document.file)

    response = api("get", f"documents/{document.pk}/file")

    assert response.status_code == 503
    assert "upload it again" in response.json()["detail"]


def test_failed_store_leaves_no_file(api, monkeypatch):
    saved, save = [], default_storage.save

    def keep(name, upload):
        saved.append(save(name, upload))
        return saved[-1]

    def broken(*_args, **_named):
        raise RuntimeError("no bell")

    monkeypatch.setattr(default_storage, "save", keep, raising=False)
    monkeypatch.setattr("ingest.services.documents.enqueue", broken)
    api.client.raise_request_exception = False

    response = upload(api)

    assert response.status_code == 500
    assert [default_storage.exists(name) for name in saved] == [False]
    assert api("get", "documents").json()["documents"] == []


@pytest.mark.django_db(transaction=True)
def test_same_bytes_uploaded_at_once_are_one_document_and_one_file(alice_token, monkeypatch):
    saved, save = [], default_storage.save

    def keep(name, upload):
        saved.append(save(name, upload))
        return saved[-1]

    monkeypatch.setattr(default_storage, "save", keep, raising=False)

    answers = at_once(6, lambda _: upload(Api(alice_token)))

    assert sorted(each.status_code for each in answers) == [200] * 5 + [202]
    assert len({each.json()["id"] for each in answers}) == 1
    assert sum(default_storage.exists(name) for name in saved) == 1


def test_number_of_queries_of_the_list_does_not_grow_with_its_length(
    api, alice, django_assert_max_num_queries
):
    for number in range(20):
        add_document(alice, f"{number}.txt")

    with django_assert_max_num_queries(8):
        assert len(api("get", "documents").json()["documents"]) == 20


def test_agent_stores_for_its_owner(agent_token, api):
    document = upload(Api(agent_token)).json()

    assert api("get", f"documents/{document['id']}").status_code == 200
