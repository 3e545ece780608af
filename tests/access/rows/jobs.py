from tests.access.row import Row

BY_HAND = ("by hand",)
ROWS = [
    Row("overview-recount", "post", 303),
    Row("job-list", "get", 200, shows=True),
    Row("job-detail", "get", 200, "run", shows=True),
    Row("job-run", "post", 303, words=BY_HAND, audience="staff"),
    Row("check", "get", 200),
    Row("api:queue", "get", 200),
    Row("api:schedule-list", "get", 200),
    Row("api:schedule-run", "post", 202, words=BY_HAND, audience="staff"),
]
