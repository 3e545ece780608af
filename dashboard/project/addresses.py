"""What counts as an address in a setting: of the web, of a proxy, of Redis, of mail."""

from ipaddress import ip_address, ip_network
from urllib.parse import urlsplit

MAIL_SCHEMES = ("smtp", "smtp+tls", "smtp+ssl")
REDIS_SCHEMES = ("redis", "rediss", "unix")


def is_web_address(value: str) -> bool:
    """Whether this is http or https, a host and perhaps a port."""
    try:
        parts = urlsplit(value)
        # Its port is checked when it is asked for.
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def is_this_machine(value: str) -> bool:
    """Whether a web address leads a browser to the machine that it runs on."""
    host = urlsplit(value).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.split(".")[-1] == "localhost"


def is_every_address(value: str) -> bool:
    """Whether a web address stands for all addresses of a machine, and so for none of another's."""
    try:
        return ip_address(urlsplit(value).hostname or "").is_unspecified
    except ValueError:
        return False


def has_path(value: str) -> bool:
    """Whether a web address says more than where the server is."""
    parts = urlsplit(value)
    return bool(parts.path.strip("/") or parts.query or parts.fragment or parts.username)


def is_redis_address(value: str) -> bool:
    """Whether a Redis client could connect to this."""
    try:
        parts = urlsplit(value)
        where = parts.path if parts.scheme == "unix" else parts.hostname
        return parts.scheme in REDIS_SCHEMES and bool(where) and parts.port != 0
    except ValueError:
        return False


def is_mail_server(value: str) -> bool:
    """Whether mail could be given to this server."""
    try:
        parts = urlsplit(value)
        return parts.scheme in MAIL_SCHEMES and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def is_network(value: str) -> bool:
    """Whether this is an IP address, or a range of them as 10.0.0.0/8."""
    try:
        ip_network(value, strict=False)
    except ValueError:
        return False
    return True


def whole_network(value: str) -> str:
    """A range by its first address, as programs want it; an address stays as it is."""
    return str(ip_network(value, strict=False)) if "/" in value else value
