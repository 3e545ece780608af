from tests.access.row import Row

# Nothing of the vault is told through an agent, and nothing to those who see all other rows.
ROWS = [
    Row("api:credential-list", "get", 200, shows=True, of_no_agent=True),
    Row("api:credential-reveal", "post", 200, "credential", shows=True, of_no_agent=True),
    Row("api:credential-detail", "delete", 204, "credential", of_no_agent=True),
]
