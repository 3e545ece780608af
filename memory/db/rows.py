"""Many rows in one statement, which the ORM compiles for longer than PostgreSQL stores them."""

import json
from collections.abc import Mapping, Sequence

from django.db import connection
from django.db.models import Field, Model

from memory.db.search import ROW_PARTS, VECTOR_OF_ROW

_VECTOR = "search"


def insert_alike(alike: Model, rows: Sequence[Mapping[str, object]]) -> None:
    """Store rows that are as one row is but for a few fields.

    Shape: each of `rows` gives the same fields by column, as JSON holds them, bytes as hex; and
        what `search_parts` gives, for the vector.
    """
    if not rows:
        return
    own = rows[0].keys()
    columns, values, parameters = [], [], []
    sent_as: dict[str, str] = dict(ROW_PARTS)
    for field in alike._meta.concrete_fields:
        column = str(field.column)
        columns.append(connection.ops.quote_name(column))
        sent_as[column] = _sent_as(field)
        if column == _VECTOR:
            values.append(VECTOR_OF_ROW)
        elif column in own:
            values.append(_of_row(field))
        else:
            values.append(f"%s::{field.db_type(connection)}")
            parameters.append(field.get_db_prep_save(getattr(alike, field.attname), connection))
    listed = ", ".join(f"{name} {sent_as[name]}" for name in own)
    table = connection.ops.quote_name(alike._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(values)} "  # noqa: S608 - own names
            f"FROM json_to_recordset(%s) AS x({listed})",
            [*parameters, json.dumps(rows, ensure_ascii=False)],
        )


def _is_binary(field: "Field[object, object]") -> bool:
    return field.db_type(connection) == "bytea"


def _sent_as(field: "Field[object, object]") -> str:
    return "text" if _is_binary(field) else str(field.db_type(connection))


def _of_row(field: "Field[object, object]") -> str:
    return f"decode(x.{field.column}, 'hex')" if _is_binary(field) else f"x.{field.column}"
