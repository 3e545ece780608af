"""Web addresses: the one spelling that is asked for, and what is reached in no spelling."""

from ipaddress import ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.domain.addresses import AddressNotAllowed, Reach, is_public, next_address, web_address

PORTS = frozenset({80, 443})


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("http://example.org", "http://example.org/"),
        ("  https://Example.ORG:443/A?b=c#d ", "https://example.org/A?b=c"),
        ("HTTP://example.org:443/", "http://example.org:443/"),
        ("http://example.org./", "http://example.org/"),
        ("http://example.org/Prüf bericht".replace(" ", "%20"), "http://example.org/Pr%C3%BCf%20bericht"),
        ("http://bücher.example/?q=ä", "http://xn--bcher-kva.example/?q=%C3%A4"),
        ("http://example。org/", "http://example.org/"),
        ("http://93.184.216.34/", "http://93.184.216.34/"),
        ("http://[2606:4700::1111]/", "http://[2606:4700::1111]/"),
        ("https://example.org:/", "https://example.org/"),
    ],
)  # fmt: skip
def test_address_is_spelled_in_one_way(text: str, spelled: str) -> None:
    assert str(web_address(text, PORTS)) == spelled


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "only http"),
        ("example.org/a", "only http"),
        ("//example.org/a", "only http"),
        ("file:///etc/passwd", "only http"),
        ("ftp://example.org/x", "only http"),
        ("gopher://127.0.0.1:6379/_INFO", "only http"),
        ("javascript:alert(1)", "only http"),
        ("data:text/plain,x", "only http"),
        ("unix:///run/x.sock", "only http"),
        ("http:example.org", "host"),
        ("http:///etc/passwd", "host"),
        ("http://", "host"),
        ("http://.", "host"),
        ("http://..example.org/", "host"),
        ("http://exa%6dple.org/", "host"),
        ("http://127%2e0%2e0%2e1/", "host"),
        ("http://-a.example/", "host"),
        ("http://" + "a" * 64 + "ä.example/", "host"),
        ("http://" + "a." * 130 + "example/", "host"),
        ("http://user@example.org/", "user name"),
        ("http://user:pass@example.org/", "user name"),
        ("http://@example.org/", "user name"),
        ("http://example.org@127.0.0.1/", "user name"),
        ("http://example.org:22/", "port 22"),
        ("http://example.org:0/", "port 0"),
        ("http://db:5432/", "port 5432"),
        ("http://example.org:99999/", "no web address"),
        ("http://example.org:8o/", "no web address"),
        ("http://[::1/", "no web address"),
        ("http://[fe80::1%25eth0]/", "host"),
        ("http://[fe80::1%eth0]/", "network card"),
        ("http://[v1.x]/", "host|no web address"),
        ("http://example.org\\@127.0.0.1/", "backslash"),
        ("http://exam ple.org/", "blank"),
        ("http://example.org/\u202egpj", "invisible"),
        ("http://loc\u00adalhost/", "invisible"),
        ("http://example.org/\r\nHost: inside", "invisible"),
        ("http://example.org/" + "a" * 2_000, "2,000 characters"),
        ("http://example.org℀.inside/", "no web address|host"),
    ],
)  # fmt: skip
def test_address_in_a_wrong_form_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(AddressNotAllowed, match=why) as refusal:
        web_address(text, PORTS)

    reason, _, remedy = str(refusal.value).partition(". ")
    assert reason.startswith("Address not allowed: ")
    assert remedy.startswith(("Copy", "Download", "Leave", "Use", "Write"))
    assert refusal.value.field == "url"


@pytest.mark.parametrize(
    "host",
    [
        "2130706433", "0x7f000001", "0x7f.1", "0x7f.0.0.1", "017700000001", "0177.0.0.1", "127.1",
        "127.0.1", "127.0.0.01", "1.2.3.4.5", "127.0.0.256", "0", "00", "0x", "2130706433.",
        "127.1.", "１２７.1", "0ｘ7f.1", "①②⑦.1", "127.0.0.0x1", "example.1",
    ],
)  # fmt: skip
def test_host_that_is_a_number_in_an_odd_spelling_is_refused(host: str) -> None:
    with pytest.raises(AddressNotAllowed, match="number"):
        web_address(f"http://{host}/", PORTS)


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1", "127.0.0.1.", "１２７.0.0.1", "①②⑦.0.0.1", "127。0。0。1", "127．0．0．1",
        "127｡0｡0｡1",
    ],
)  # fmt: skip
def test_written_address_is_the_one_that_is_checked(host: str) -> None:
    address = web_address(f"http://{host}/", PORTS)

    assert address.host == "127.0.0.1"
    assert not Reach().allows(ip_address(address.host))


@pytest.mark.parametrize(
    "text",
    [
        "127.0.0.1", "127.255.255.254", "0.0.0.0", "0.1.2.3", "169.254.169.254", "10.0.0.5",
        "172.16.0.9", "192.168.1.1", "100.64.0.1", "100.100.100.200", "192.0.0.192", "192.0.2.1",
        "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.250", "240.0.0.1",
        "255.255.255.255", "192.88.99.1", "168.63.129.16",
        "::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00::1", "fd00:ec2::254", "fec0::1",
        "ff02::1", "ff0e::1", "100::1", "2001:db8::1", "3fff::1", "4000::1", "5f00::1",
        "::ffff:127.0.0.1", "::ffff:10.0.0.5", "::ffff:169.254.169.254", "::127.0.0.1",
        "::ffff:0:127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::7f00:1",
        "2002:7f00:1::", "2002:808:808::", "2001:0:4136:e378:8000:63bf:3fff:fdd2",
        "2606:4700::5efe:7f00:1", "2606:4700::200:5efe:a00:5", "2001:20::1",
    ],
)  # fmt: skip
def test_address_that_is_not_on_the_internet_is_not_reached(text: str) -> None:
    assert not is_public(ip_address(text))
    assert not Reach().allows(ip_address(text))


@pytest.mark.parametrize(
    "text",
    ["8.8.8.8", "93.184.216.34", "2606:4700::1111", "2001:4860:4860::8888", "::ffff:8.8.8.8",
     "64:ff9b::808:808"],
)  # fmt: skip
def test_address_of_the_internet_is_reached(text: str) -> None:
    assert Reach().allows(ip_address(text))


@given(st.ip_addresses(v=4).filter(lambda address: not is_public(address)))
def test_no_ipv6_form_of_an_inside_address_is_public(address) -> None:
    inner = int(address)
    for form in (0xFFFF << 32, 0, 0xFFFF << 48, 0x64FF9B << 96, 0x5EFE << 32):
        assert not is_public(ip_address((form | inner).to_bytes(16, "big")))
    assert not is_public(ip_address((0x2002 << 112 | inner << 80).to_bytes(16, "big")))


def test_operator_opens_networks_and_no_more() -> None:
    reach = Reach((ip_network("10.1.0.0/16"), ip_network("fd00:7::/32")))

    opened = {text for text in ("10.1.2.3", "10.2.0.1", "::ffff:10.1.2.3", "fd00:7::1", "fd00:8::1")
              if reach.allows(ip_address(text))}  # fmt: skip
    assert opened == {"10.1.2.3", "::ffff:10.1.2.3", "fd00:7::1"}


@pytest.mark.parametrize(
    ("location", "leads_to"),
    [
        ("b", "https://example.org/a/b"),
        ("/b?c", "https://example.org/b?c"),
        ("//other.example/b", "https://other.example/b"),
        ("http://other.example", "http://other.example/"),
        ("", "https://example.org/a/"),
        ("Prüf", "https://example.org/a/Pr%C3%BCf"),
        (" a plan.txt ", "https://example.org/a/a%20plan.txt"),
    ],
)
def test_redirect_leads_on_from_where_it_stands(location: str, leads_to: str) -> None:
    start = web_address("https://example.org/a/", PORTS)

    assert str(next_address(start, location, PORTS)) == leads_to


@given(st.text())
def test_no_text_breaks_the_check_of_an_address(text: str) -> None:
    for address in (text, f"http://{text}", f"http://example.org/{text}"):
        try:
            web_address(address, PORTS)
        except AddressNotAllowed as refusal:
            assert str(refusal).endswith((".", "@."))
