from tests.access.row import Row

ROWS = [
    Row("people-list", "get", 200, audience="staff"),
    Row("person-invite", "post", 201, body={"email": "new@example.org"}, audience="staff"),
    Row("person-link", "post", 201, "person", audience="staff", staff_see=True),
    Row("person-close", "post", 303, "person", audience="staff", staff_see=True),
    Row("person-open", "post", 303, "person", audience="staff", staff_see=True),
    Row(
        "person-role",
        "post",
        303,
        "person",
        body={"role": "staff"},
        audience="staff",
        staff_see=True,
    ),
]
