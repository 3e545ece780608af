"""Documents from web addresses: what is fetched, what is refused, and what is never opened."""

import ssl
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from ipaddress import ip_network
from pathlib import Path
from threading import Event

import pytest
import pytest_socket
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from django.core.files.storage import default_storage

from ingest.domain.addresses import AddressNotAllowed, Reach
from ingest.models import Document
from ingest.services.fetching import store_address
from ingest.services.pinned import trusted_certificates
from memory.domain.errors import InvalidInput
from memory.models import Scope
from tests.web_server import INSIDE, OUTSIDE, redirect, reply, serving

NOTE = b"The greenhouse key hangs behind the door."


@pytest.fixture
def fetch(alice, as_alice):
    def stored(address: str, *tags: str):
        scope = Scope.objects.for_user(alice)
        return store_address(principal=as_alice, scope=scope, address=address, tags=tags)

    return stored


def nothing_is_stored() -> bool:
    return not Document.objects.all()


def test_file_at_an_address_is_stored_and_tagged_with_its_host(fetch, web):
    web.outside.replies["/notes/key.txt?v=2"] = reply(NOTE, Content_Type="text/plain")

    document = fetch(web.address("/notes/key.txt?v=2#top"), "home").document

    assert (document.name, document.media_type, document.status) == (
        "key.txt", "text/plain", "queued",
    )  # fmt: skip
    assert (document.tags, document.size_bytes) == (["home", "books.example"], len(NOTE))
    with default_storage.open(document.file) as file:
        assert file.read() == NOTE
    assert web.inside.connections == 0


def test_same_bytes_at_another_address_are_the_same_document(fetch, web):
    web.outside.replies |= {"/a.txt": reply(NOTE), "/b.txt": reply(NOTE)}

    first, second = fetch(web.address("/a.txt")), fetch(web.address("/b.txt"))

    assert (second.document.pk, second.is_duplicate) == (first.document.pk, True)


@pytest.mark.parametrize(
    ("path", "headers", "name"),
    [
        ("/a/Pr%C3%BCfbericht.txt", {}, "Prüfbericht.txt"),
        ("/get?id=7", {"Content_Disposition": 'attachment; filename="plan 7.txt"'}, "plan 7.txt"),
        (
            "/get",
            {"Content_Disposition": "attachment; filename*=UTF-8''na%C3%AFve%20plan.txt"},
            "naïve plan.txt",
        ),
        ("/get.txt", {"Content_Disposition": 'attachment; filename="../../etc/passwd"'}, "passwd"),
        ("/get.txt", {"Content_Disposition": "attachment; filename*=no-such'x'y"}, "get.txt"),
        ("/a%2Fb.txt", {}, "b.txt"),
        ("/page", {"Content_Type": "text/html; charset=utf-8"}, "page.html"),
        ("/page.aspx", {"Content_Type": "text/html"}, "page.aspx.html"),
        ("/", {"Content_Type": "text/markdown"}, "books.example.md"),
        ("/", {}, "books.example.html"),
    ],
)
def test_document_is_named_by_its_server_or_its_path(fetch, web, path, headers, name):
    web.outside.replies[path] = reply(NOTE, **headers)

    assert fetch(web.address(path)).document.name == name


def test_host_whose_ending_is_a_kind_of_text_does_not_decide_the_kind(fetch, web):
    web.names["notes.org"] = [[OUTSIDE]]
    web.outside.replies["/"] = reply(NOTE, Content_Type="text/plain")

    document = fetch(web.address(host="notes.org")).document

    assert (document.name, document.media_type) == ("notes.org.txt", "text/plain")


def test_type_is_told_by_the_bytes_and_not_by_the_server(fetch, web):
    web.outside.replies["/a.txt"] = reply(b"%PDF-1.4 and on", Content_Type="text/plain")

    assert fetch(web.address("/a.txt")).document.media_type == "application/pdf"


def test_server_is_asked_by_its_name_and_told_nothing_of_who_asks(fetch, web, monkeypatch):
    monkeypatch.setenv("http_proxy", f"http://{INSIDE}:{web.inside.port}")
    monkeypatch.setenv("ALL_PROXY", f"http://{INSIDE}:{web.inside.port}")
    web.outside.replies |= {
        "/go": reply(b"", 302, Location="/a.txt", Set_Cookie="who=alice"),
        "/a.txt": reply(NOTE),
    }

    fetch(web.address("/go"))

    assert f"Host: books.example:{web.outside.port}\r\n" in web.outside.heads[0]
    told = "".join(web.outside.heads).lower()
    assert not [each for each in ("cookie", "referer", "authorization", "alice") if each in told]
    assert web.inside.connections == 0


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_followed_and_each_name_is_looked_up_anew(fetch, web, status):
    web.names["cdn.example"] = [[OUTSIDE]]
    web.outside.replies |= {
        "/go": redirect(web.address("/../b", host="cdn.example"), status),
        "/../b": redirect("a.txt", status),
        "/a.txt": reply(NOTE),
    }

    assert fetch(web.address("/go")).document.name == "a.txt"
    assert web.lookups == ["books.example", "cdn.example", "cdn.example"]


@pytest.mark.parametrize(
    "location",
    [
        "http://127.0.0.1:{port}/",
        "http://wiki.example:{port}/",
        "//wiki.example:{port}/",
        "http://[::ffff:127.0.0.1]:{port}/",
        "http://0x7f000001:{port}/",
        "http://0.0.0.0:{port}/",
        "http://127.0.0.2:7700/",
        "http://me@127.0.0.2:{port}/",
        "file:///etc/passwd",
        "ftp://127.0.0.2:{port}/x",
        "gopher://127.0.0.1:{port}/_INFO",
        "http://[",
        "data:text/plain,hello",
    ],
)
@pytest.mark.parametrize("hops", [1, 3])
def test_redirect_that_leads_inside_is_refused_at_its_hop(fetch, web, location, hops):
    for hop in range(1, hops):
        web.outside.replies[f"/{hop}"] = redirect(f"/{hop + 1}")
    web.outside.replies[f"/{hops}"] = redirect(location.format(port=web.outside.port))

    with pytest.raises(AddressNotAllowed, match="not allowed"):
        fetch(web.address("/1"))

    assert len(web.outside.heads) == hops
    assert web.inside.connections == 0
    assert nothing_is_stored()


def test_redirects_without_an_end_are_given_up_after_five(fetch, web):
    web.outside.replies["/a"] = redirect("/a")

    with pytest.raises(InvalidInput, match="more than 5 times"):
        fetch(web.address("/a"))

    assert len(web.outside.heads) == 6


@pytest.mark.parametrize(
    "known_as",
    [
        [INSIDE],
        [OUTSIDE, INSIDE],
        ["::1"],
        ["169.254.169.254"],
        ["10.0.0.5"],
        ["93.184.216.34", "192.168.1.1"],
        ["::ffff:127.0.0.1"],
        ["64:ff9b::7f00:1"],
        ["fe80::1"],
    ],
)
def test_name_of_which_any_address_is_inside_is_refused(fetch, web, known_as):
    web.names["books.example"] = [known_as]

    with pytest.raises(AddressNotAllowed) as refusal:
        fetch(web.address("/a.txt"))

    assert "LONGHAND_FETCH_ALLOWED" in str(refusal.value)
    assert web.outside.connections == web.inside.connections == 0


def test_unknown_name_is_answered_like_one_that_leads_inside(fetch, web):
    said = []
    for name in ("wiki.example", "book.example"):
        with pytest.raises(AddressNotAllowed) as refusal:
            fetch(web.address(host=name))
        said.append(str(refusal.value).replace(name, "it"))

    assert said[0] == said[1]


def test_name_that_changes_its_address_is_used_as_it_was_checked(fetch, web):
    web.names["books.example"] = [[OUTSIDE], [INSIDE]]
    web.outside.replies["/a.txt"] = reply(NOTE)
    web.inside.replies["/a.txt"] = reply(b"secret")

    document = fetch(web.address("/a.txt")).document

    assert document.size_bytes == len(NOTE)
    assert (web.lookups, web.inside.connections) == (["books.example"], 0)


def test_name_that_changes_its_address_between_hops_is_refused_at_the_second(fetch, web):
    web.names["books.example"] = [[OUTSIDE], [INSIDE]]
    web.outside.replies["/a"] = redirect("/b")
    web.inside.replies["/b"] = reply(b"secret")

    with pytest.raises(AddressNotAllowed):
        fetch(web.address("/a"))

    assert web.inside.connections == 0


def test_address_that_does_not_answer_is_followed_by_the_next(fetch, web, settings):
    silent = "127.0.0.3"
    web.names["books.example"] = [[silent, OUTSIDE]]
    web.outside.replies["/a.txt"] = reply(NOTE)
    ports = frozenset({web.outside.port})
    settings.LONGHAND_FETCH_REACH = Reach((ip_network("127.0.0.2/31"),), ports)
    pytest_socket.socket_allow_hosts([silent, OUTSIDE], allow_unix_socket=True)

    assert fetch(web.address("/a.txt")).document.size_bytes == len(NOTE)


def test_operator_may_open_an_inside_network(fetch, web, settings):
    settings.LONGHAND_FETCH_REACH = Reach(
        (ip_network("127.0.0.0/8"),), frozenset({web.inside.port})
    )
    web.inside.replies["/a.txt"] = reply(NOTE)

    assert fetch(web.address("/a.txt", host="wiki.example")).document.name == "a.txt"


@pytest.mark.parametrize("status", [204, 206, 400, 401, 403, 404, 500, 503])
def test_answer_without_the_file_is_refused_and_not_repeated(fetch, web, status):
    web.outside.replies["/a.txt"] = reply(b"" if status == 204 else b"inner words", status)

    with pytest.raises(InvalidInput) as refusal:
        fetch(web.address("/a.txt"))

    assert str(status) in str(refusal.value)
    assert "upload it" in str(refusal.value)
    assert "inner words" not in str(refusal.value)
    assert nothing_is_stored()


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"SSH-2.0-OpenSSH_9.2\r\n",
        b"-ERR unknown command 'GET'\r\n",
        b"HTTP/1.1 200 So\r\nContent-Length: 400\r\n\r\nhalf of it",
        b"HTTP/1.1 200 So\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nbroken",
        b"HTTP/1.1 200 So\r\n" + b"X: " + b"y" * 200_000 + b"\r\n\r\n",
    ],
)
def test_what_is_no_whole_answer_is_refused_and_not_repeated(fetch, web, answer):
    web.outside.replies["/a.txt"] = answer

    with pytest.raises(InvalidInput, match="broke off") as refusal:
        fetch(web.address("/a.txt"))

    assert "SSH" not in str(refusal.value)
    assert "ERR" not in str(refusal.value)
    assert nothing_is_stored()


@pytest.mark.parametrize(
    "head",
    [
        b"Content-Length: 9999999\r\n",
        b"Content-Length: 2000\r\n",
        b"Transfer-Encoding: chunked\r\n\r\n7d0",
        b"",
    ],
)
def test_file_over_the_limit_is_given_up_whatever_its_stated_size(fetch, web, settings, head):
    settings.LONGHAND_MAX_UPLOAD_BYTES = 1_000
    web.outside.replies["/a.txt"] = b"HTTP/1.1 200 So\r\n" + head + b"\r\n" + b"x" * 2_000

    with pytest.raises(InvalidInput, match="LONGHAND_MAX_UPLOAD_MB"):
        fetch(web.address("/a.txt"))
    assert nothing_is_stored()


def test_what_comes_after_the_stated_end_is_no_part_of_the_file(fetch, web):
    web.outside.replies["/a.txt"] = reply(NOTE, Content_Length=14)

    document = fetch(web.address("/a.txt")).document

    with default_storage.open(document.file) as file:
        assert file.read() == NOTE[:14]


def test_endless_file_is_given_up_at_the_limit(fetch, web, settings):
    settings.LONGHAND_MAX_UPLOAD_BYTES = 100_000

    def pour(write):
        write(b"HTTP/1.1 200 So\r\n\r\n")
        while True:
            write(b"x" * 10_000)

    web.outside.replies["/a.txt"] = pour

    with pytest.raises(InvalidInput, match="LONGHAND_MAX_UPLOAD_MB"):
        fetch(web.address("/a.txt"))


@pytest.mark.parametrize("start", [b"", b"HTTP/1.1 200 So\r\n", b"HTTP/1.1 200 So\r\n\r\n"])
def test_server_that_sends_drop_by_drop_is_given_up_at_the_deadline(fetch, web, settings, start):
    settings.LONGHAND_FETCH_SECONDS = 0.3
    done = Event()

    def drip(write):
        write(start)
        while not done.wait(0.02):
            write(b"x")

    web.outside.replies["/a.txt"] = drip
    try:
        with pytest.raises(InvalidInput, match=r"within 0\.3 s"):
            fetch(web.address("/a.txt"))
    finally:
        done.set()
    assert nothing_is_stored()


def test_packed_answer_is_refused_so_that_nothing_unpacks_here(fetch, web):
    web.outside.replies["/a.txt"] = reply(b"\x1f\x8b", Content_Encoding="gzip")

    with pytest.raises(InvalidInput, match="packed"):
        fetch(web.address("/a.txt"))


def test_empty_file_is_refused(fetch, web):
    web.outside.replies["/a.txt"] = reply(b"")

    with pytest.raises(InvalidInput, match="empty"):
        fetch(web.address("/a.txt"))


def test_wrong_tags_are_refused_before_anything_is_fetched(fetch, web):
    with pytest.raises(InvalidInput, match="tag"):
        fetch(web.address("/a.txt"), "x" * 65)

    assert web.outside.connections == 0


@pytest.fixture
def certificate(tmp_path, monkeypatch) -> Iterator[ssl.SSLContext]:
    """A server's certificate for books.example that this host trusts."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "books.example")])
    now = datetime.now(UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("books.example")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    file = Path(tmp_path, "both.pem")
    file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + signed.public_bytes(serialization.Encoding.PEM)
    )
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    trusted_certificates.cache_clear()
    yield context
    trusted_certificates.cache_clear()


@pytest.mark.parametrize(("host", "is_trusted"), [("books.example", True), ("cdn.example", False)])
def test_certificate_is_checked_for_the_name_and_not_for_the_address(
    fetch, web, settings, certificate, host, is_trusted
):
    asked = []
    certificate.sni_callback = lambda _socket, name, _context: asked.append(name)
    web.names["cdn.example"] = [[OUTSIDE]]
    with serving(OUTSIDE, context=certificate) as secure:
        settings.LONGHAND_FETCH_REACH = Reach((ip_network(OUTSIDE),), frozenset({secure.port}))
        secure.replies["/a.txt"] = reply(NOTE)
        address = f"https://{host}:{secure.port}/a.txt"
        if is_trusted:
            assert fetch(address).document.size_bytes == len(NOTE)
        else:
            with pytest.raises(InvalidInput, match="certificate"):
                fetch(address)
            assert secure.heads == []
    assert asked == [host]
