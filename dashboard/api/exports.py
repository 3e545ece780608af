"""Taking along what a token may see."""

from typing import Literal

from django.http.response import HttpResponseBase
from ninja import Router
from pydantic import ConfigDict

from dashboard.api.auth import ApiRequest
from dashboard.api.facts import FactFilters, matching
from dashboard.api.schemas import Strict
from dashboard.exports import archive_download, lines_download
from dashboard.queries.facts import memories_of
from memory.domain.errors import InvalidInput

router = Router(tags=["operations"])
ONLY_LINES = "filters go with the format jsonl; an archive holds everything. Leave one of them out."


class FiltersIn(FactFilters):
    """Conditions on the memories of an export in lines."""

    model_config = ConfigDict(extra="forbid")


class ExportIn(Strict):
    """What is wanted: everything as an archive, or memories as lines of JSON."""

    format: Literal["archive", "jsonl"] = "archive"
    filters: FiltersIn | None = None


@router.post("export", url_name="export")
def export(request: ApiRequest, payload: ExportIn | None = None) -> HttpResponseBase:
    """All that the token may see but shared rows, as a zip that `manage.py import` reads.

    With the format jsonl: the memories that match the filters, in any state unless one is named,
    shared ones too, as lines of JSON. While another of this person's is being written: 409.
    """
    wanted = payload or ExportIn()
    if wanted.format == "jsonl":
        rows = matching(memories_of(request.principal), wanted.filters or FiltersIn())
        return lines_download(request.principal, rows.newest_first())
    if wanted.filters:
        raise InvalidInput(ONLY_LINES, field="filters")
    return archive_download(request.principal)
