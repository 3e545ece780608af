"""The requests that the guide shows do what it says."""

import json
import re
from pathlib import Path

GUIDE = Path(__file__).parents[3] / "docs/guide.md"
REQUEST = re.compile(r"/api/v1/query .*?-d '(\{.*?\})'\n", re.DOTALL)


def test_requests_by_fields_write_and_find_the_record(api):
    shown = [json.loads(each) for each in REQUEST.findall(GUIDE.read_text(encoding="utf-8"))]

    written, again, read = (api("post", "query", body) for body in [shown[0], *shown])

    assert [each.status_code for each in (written, again, read)] == [201, 200, 200]
    (record,) = read.json()["records"]
    assert record["id"] == written.json()["record"]["id"] == again.json()["record"]["id"]
