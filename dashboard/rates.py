"""How often somebody may try something, counted for all web hosts together."""

import hashlib
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from math import ceil
from typing import TYPE_CHECKING, cast

from django.conf import settings
from django.core.cache import caches
from django.http import HttpRequest

from dashboard.sessions import place_of

if TYPE_CHECKING:
    from memory.db.cache import SharedCache


@dataclass(frozen=True, slots=True)
class Rate:
    """So many times in so many seconds, for each key by itself."""

    name: str
    times: int
    seconds: int


SIGN_IN_BY_ADDRESS = Rate("sign-in-by-address", 10, 300)
SIGN_IN_BY_PLACE = Rate("sign-in-by-place", 60, 300)
OPTIONS_BY_PLACE = Rate("options-by-place", 60, 300)
LINK_BY_ADDRESS = Rate("link-by-address", 5, 900)
LINK_BY_PLACE = Rate("link-by-place", 30, 900)
PROOF = Rate("proof", 10, 300)
SECOND_STEP = Rate("second-step", 10, 300)

REVEAL = Rate("reveal", 10, 300)


def api_rate() -> Rate:
    """How often one API token may ask."""
    return Rate("api", settings.LONGHAND_API_RATE, 60)


def network_of(request: HttpRequest) -> str:
    """Where the browser is, as far as it cannot choose: it has 2^64 addresses of IPv6 at least."""
    place = ip_address(place_of(request))
    if not isinstance(place, IPv6Address):
        return str(place)
    return str(place.ipv4_mapped or int(place) >> 64)


def spend(rate: Rate, key: str) -> int:
    """Count one more; 0 while that is allowed, else how long to wait.

    Units: seconds.
    """
    digest = hashlib.sha256(key.encode()).hexdigest()[:32]
    counters = cast("SharedCache", caches["counters"])
    number, left = counters.count(f"{rate.name}:{digest}", rate.seconds)
    return 0 if number <= rate.times else max(1, ceil(left))
