from tests.access.row import Row

# Addresses that answer everybody the same, before anybody has signed in.
PUBLIC = {
    "sign-in",
    "sign-in-link",
    "sign-out",
    "api:api-root",
    "api:health-live",
    "api:health-ready",
    "api:openapi-json",
    "api:openapi-view",
}
ROWS = [
    Row("overview", "get", 200, shows=True),
    Row("api:job-list", "get", 200, shows=True),
    Row("api:stats", "get", 200, shows=True),
]
