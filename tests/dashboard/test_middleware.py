"""What every request passes through."""

from datetime import UTC, datetime

import time_machine

from memory.models import User
from tests.fixtures import remember


@time_machine.travel(datetime(2026, 3, 1, 23, 30, tzinfo=UTC), tick=False)
def test_page_tells_the_day_of_its_readers_time_zone(client, alice: User):
    alice.time_zone = "Asia/Tokyo"
    alice.save()
    remember(alice, "The bin day is Tuesday")
    client.force_login(alice)

    page = client.get("/").content.decode()

    assert "2 March 2026" in page
