"""Which web addresses may be read from here: how they are spelled, and where they may lead."""

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import NoReturn
from urllib.parse import quote, urljoin, urlsplit

from memory.domain.errors import InvalidInput

IPAddress = IPv4Address | IPv6Address
IPNetwork = IPv4Network | IPv6Network

PORTS = {"http": 80, "https": 443}
MAX_ADDRESS_CHARACTERS = 2_000
MAX_HOST_CHARACTERS = 253

_INTERNET = IPv6Network("2000::/3")
_TRANSLATED = IPv6Network("64:ff9b::/96")
# What some Pythons take for public: protocols' own addresses, examples of books, relays between
# IPv4 and IPv6, which lead elsewhere, and an address that is the platform itself in a large cloud.
_NOT_PUBLIC: tuple[IPNetwork, ...] = (
    IPv4Network("192.0.0.0/24"),
    IPv4Network("192.88.99.0/24"),
    IPv6Network("2001::/32"),
    IPv6Network("2002::/16"),
    IPv6Network("3fff::/20"),
    IPv4Network("168.63.129.16/32"),
)
# An interface id of this form carries an IPv4 address, whatever network is before it.
_CARRIES_IPV4 = (0x00005EFE, 0x02005EFE)

_NO_NAME = "its host is not a name of the web. Write it as https://example.org/page."
_HOST = re.compile(r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*")
_NUMBER = re.compile(r"\d+|0x[0-9a-f]*")
_KEPT_IN_TARGET = "/%:@!$&'()*+,;=?-._~"


class AddressNotAllowed(InvalidInput):
    """A web address that is not read from here; nothing was opened."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"Address not allowed: {reason}", field="url")


@dataclass(frozen=True, slots=True)
class WebAddress:
    """One page or file of the web, in the one spelling that is asked for.

    Shape: `host` is ASCII in small letters, an IPv6 address without brackets; `target` is the
        path and the query, percent-encoded.
    """

    scheme: str
    host: str
    port: int
    target: str

    @property
    def authority(self) -> str:
        """The host, and its port where it is not the usual one, as a server is asked for it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"

    def __str__(self) -> str:
        return f"{self.scheme}://{self.authority}{self.target}"


@dataclass(frozen=True, slots=True)
class Reach:
    """Where files may come from: the public internet, and what an operator opened beside it."""

    networks: tuple[IPNetwork, ...] = ()
    ports: frozenset[int] = frozenset(PORTS.values())

    def allows(self, address: IPAddress) -> bool:
        """Whether a connection to this address may be opened."""
        plain = _unwrapped(address)
        return is_public(plain) or any(plain in network for network in self.networks)


def web_address(text: str, ports: frozenset[int]) -> WebAddress:
    """The address that this text spells.

    Raises: AddressNotAllowed naming what to write instead.
    """
    text = text.strip()
    if len(text) > MAX_ADDRESS_CHARACTERS:
        _refuse(f"it has more than {MAX_ADDRESS_CHARACTERS:,} characters. Use a shorter one.")
    if not text.isprintable() or " " in text or "\\" in text:
        _refuse("it holds a blank, a backslash or an invisible character. Copy it once more.")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        _refuse("it is no web address. Write it as https://example.org/page.")
    if parts.scheme not in PORTS:
        _refuse("only http:// and https:// are read. Download the file and upload it.")
    if "@" in parts.netloc:
        _refuse("it holds a user name or a password. Leave out what stands before the @.")
    port = PORTS[parts.scheme] if port is None else port
    if port not in ports:
        _refuse(
            f"port {port} is not read. Use {_ports(ports)}, or have whoever runs Longhand add it "
            "to LONGHAND_FETCH_PORTS."
        )
    target = quote(parts.path or "/", safe=_KEPT_IN_TARGET)
    query = f"?{quote(parts.query, safe=_KEPT_IN_TARGET)}" if parts.query else ""
    host = (_ipv6 if "[" in parts.netloc else _name)(parts.hostname or "")
    return WebAddress(parts.scheme, host, port, target + query)


def next_address(address: WebAddress, location: str, ports: frozenset[int]) -> WebAddress:
    """Where a redirect from this address leads.

    Raises: AddressNotAllowed.
    """
    try:
        # Some servers forget to encode the blanks of a file's name.
        joined = urljoin(str(address), location.strip().replace(" ", "%20"))
    except ValueError:
        _refuse("it leads on to something that is no web address. Download the file and upload it.")
    return web_address(joined, ports)


def is_public(address: IPAddress) -> bool:
    """Whether this is an address of the public internet, in none of the forms that hide another."""
    plain = _unwrapped(address)
    if not plain.is_global or any(plain in network for network in _NOT_PUBLIC):
        return False
    if isinstance(plain, IPv4Address):
        return not plain.is_multicast
    return plain in _INTERNET and int(plain) >> 32 & 0xFFFFFFFF not in _CARRIES_IPV4


def _unwrapped(address: IPAddress) -> IPAddress:
    """The IPv4 address that an IPv6 form of it leads to; any other as it is."""
    if isinstance(address, IPv4Address):
        return address
    if address.ipv4_mapped:
        return address.ipv4_mapped
    return IPv4Address(int(address) & 0xFFFFFFFF) if address in _TRANSLATED else address


def _name(text: str) -> str:
    try:
        # Also turns digits, letters and dots of other scripts into what they stand for.
        name = text if text.isascii() else text.encode("idna").decode("ascii").lower()
    except UnicodeError:
        _refuse(_NO_NAME)
    name = name.removesuffix(".")
    if len(name) > MAX_HOST_CHARACTERS or not _HOST.fullmatch(name):
        _refuse(_NO_NAME)
    if _NUMBER.fullmatch(name.rpartition(".")[2]) and not _is_ipv4(name):
        _refuse("its host is a number. Write the name, or the address as 192.0.2.1.")
    return name


def _ipv6(text: str) -> str:
    try:
        address = IPv6Address(text)
    except ValueError:
        _refuse(_NO_NAME)
    if address.scope_id is not None:
        _refuse("its host belongs to one network card of this machine. Use its name.")
    return str(address)


def _is_ipv4(text: str) -> bool:
    try:
        return bool(IPv4Address(text))
    except ValueError:
        return False


def _ports(ports: frozenset[int]) -> str:
    return " or ".join(str(port) for port in sorted(ports)) or "no port at all"


def _refuse(reason: str) -> NoReturn:
    raise AddressNotAllowed(reason)
