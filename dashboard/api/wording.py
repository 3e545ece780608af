"""What is wrong with a field, in the words of whoever sent it."""

from collections.abc import Mapping
from typing import Any

A_MOMENT = "2026-05-04T09:30:00Z"
NOT_JSON = "The body cannot be read as JSON. Check its quotes, commas and brackets."
# Each follows the name of the field, as in “importance: must be a whole number”.
SENTENCES = {
    "missing": "must be given",
    "extra_forbidden": "is no field here; /api/v1/docs lists those that are",
    "string_type": "must be a text",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_parsing_size": "must be a smaller number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "finite_number": "must be a number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "list_type": "must be a list, in square brackets",
    "dict_type": "must be an object, in braces",
    "model_type": "must be an object, in braces",
    "model_attributes_type": "must be an object, in braces",
    "uuid_type": "must be an id, as an answer has told it",
    "uuid_parsing": "must be an id, as an answer has told it",
    "timezone_aware": f"must say its time zone, as {A_MOMENT} does",
    "datetime_type": f"must be a date and time, such as {A_MOMENT}",
    "datetime_parsing": f"must be a date and time, such as {A_MOMENT}",
    "datetime_from_date_parsing": f"must be a date and time, such as {A_MOMENT}",
    "datetime_object_invalid": f"must be a date and time, such as {A_MOMENT}",
    "literal_error": "must be {expected}",
    "greater_than_equal": "must be at least {ge}",
    "greater_than": "must be more than {gt}",
    "less_than_equal": "must be at most {le}",
    "less_than": "must be less than {lt}",
    "string_too_long": "is longer than {max_length:,} characters",
    "string_too_short": "is shorter than {min_length:,} characters",
}
NONE_ALLOWED = "must be left out: nothing may stand in it"


def worded(error: Mapping[str, Any]) -> str:
    """The sentence for one error of validation; what has none here keeps its own."""
    kind, told = str(error["type"]), error.get("ctx") or {}
    if kind == "too_long":
        return _too_long(told)
    if kind in SENTENCES:
        return SENTENCES[kind].format(**told)
    return str(error["msg"]).removeprefix("Value error, ")


def _too_long(told: Mapping[str, Any]) -> str:
    most = told["max_length"]
    return f"has {told['actual_length']:,} entries; the limit is {most:,}" if most else NONE_ALLOWED
