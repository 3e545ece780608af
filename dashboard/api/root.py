"""The REST API, version 1."""

from ninja import NinjaAPI

from dashboard.api import (
    conversations,
    credentials,
    documents,
    exports,
    facts,
    jobs,
    operations,
    perceive,
    problems,
    protocol,
    recall,
    turns,
)
from dashboard.api.auth import AUTH

api = NinjaAPI(
    title="Longhand",
    version="1",
    description="Memory for agents: turns and documents in, explained facts out.",
    urls_namespace="api",
    docs_url="/docs",
    auth=AUTH,
)
problems.install(api)
api.add_router("facts", facts.router)
api.add_router("documents", documents.router)
api.add_router("credentials", credentials.router)
api.add_router("", turns.router)
api.add_router("", perceive.router)
api.add_router("", conversations.router)
api.add_router("", recall.router)
api.add_router("", protocol.router)
api.add_router("", exports.router)
api.add_router("", operations.router)
api.add_router("", jobs.router)
