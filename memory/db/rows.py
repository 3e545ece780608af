"""Statements that the ORM compiles for longer than PostgreSQL needs for what they say."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from django.db import connection
from django.db.models import Field, Model

from memory.db.search import ROW_PARTS, VECTOR_OF_ROW

_VECTOR = "search"
_write_json = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode


@dataclass(frozen=True, slots=True)
class Rows:
    """The fields of some rows that differ, as they are sent."""

    columns: tuple[str, ...]
    text: str
    count: int


def rows_of(rows: Sequence[Mapping[str, object]]) -> Rows:
    """The rows in a form that can be made away from the database, as in another thread.

    Shape: there is one at least, and each gives the same fields by column, as JSON holds them,
        bytes as hex; and what `search_parts` gives, for the vector.
    """
    return Rows(tuple(rows[0]), _write_json(rows), len(rows))


class Alike:
    """Stores rows that are as one row is but for a few fields."""

    def __init__(self, row: Model, columns: Sequence[str]) -> None:
        """Take what all have in common from the row, all but these columns."""
        self._statement, shared = _statement(type(row), tuple(columns))
        self._shared = [
            field.get_db_prep_save(getattr(row, field.attname), connection) for field in shared
        ]

    def insert(self, rows: Rows) -> None:
        """Store the rows; they have the columns that were named."""
        with connection.cursor() as cursor:
            cursor.execute(self._statement, [*self._shared, rows.text])


def update_rows(
    model: type[Model], where: Mapping[str, object], changes: Mapping[str, object]
) -> int:
    """Change rows that have these values in these fields, whoever owns them; how many.

    Shape: none of the values in `where` is None.
    """
    statement, fields = _update(model, tuple(where), tuple(changes))
    given = (*changes.values(), *where.values())
    sent = [
        field.get_db_prep_save(value, connection)
        for field, value in zip(fields, given, strict=True)
    ]
    with connection.cursor() as cursor:
        cursor.execute(statement, sent)
        return int(cursor.rowcount)


@cache
def _update(
    model: type[Model], where: tuple[str, ...], changes: tuple[str, ...]
) -> tuple[str, tuple["Field[object, object]", ...]]:
    """The statement that changes these fields, and all that it asks for, in order."""
    named = {field.name: field for field in model._meta.concrete_fields}
    changed, asked = (
        [f"{connection.ops.quote_name(str(named[name].column))} = %s" for name in names]
        for names in (changes, where)
    )
    table = connection.ops.quote_name(model._meta.db_table)
    statement = f"UPDATE {table} SET {', '.join(changed)} WHERE {' AND '.join(asked)}"  # noqa: S608 - own names
    return statement, tuple(named[name] for name in (*changes, *where))


# Kept, for it takes longer to write than some of the rows to store.
@cache
def _statement(
    model: type[Model], columns: tuple[str, ...]
) -> tuple[str, tuple["Field[object, object]", ...]]:
    """The statement that inserts rows with these columns, and the fields it asks for once."""
    names, values, shared = [], [], []
    sent_as: dict[str, str] = dict(ROW_PARTS)
    for field in model._meta.concrete_fields:
        column = str(field.column)
        names.append(connection.ops.quote_name(column))
        sent_as[column] = _sent_as(field)
        if column == _VECTOR:
            values.append(VECTOR_OF_ROW)
        elif column in columns:
            values.append(_of_row(field))
        else:
            values.append(f"%s::{field.db_type(connection)}")
            shared.append(field)
    listed = ", ".join(f"{name} {sent_as[name]}" for name in columns)
    table = connection.ops.quote_name(model._meta.db_table)
    statement = (
        f"INSERT INTO {table} ({', '.join(names)}) SELECT {', '.join(values)} "  # noqa: S608 - own names
        f"FROM json_to_recordset(%s) AS x({listed})"
    )
    return statement, tuple(shared)


def _is_binary(field: "Field[object, object]") -> bool:
    return field.db_type(connection) == "bytea"


def _sent_as(field: "Field[object, object]") -> str:
    return "text" if _is_binary(field) else str(field.db_type(connection))


def _of_row(field: "Field[object, object]") -> str:
    return f"decode(x.{field.column}, 'hex')" if _is_binary(field) else f"x.{field.column}"
