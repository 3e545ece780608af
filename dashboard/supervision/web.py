"""The web process: uvicorn on one socket."""

import socket

import uvicorn
from django.conf import settings

from dashboard.body_limit import Application
from dashboard.supervision.allocation import share_arenas
from dashboard.supervision.warming import warm_beside

GRACEFUL_SECONDS = 4
APPLICATION = "dashboard.project.asgi:application"


class Server(uvicorn.Server):
    """Answers at once, and meanwhile loads what the first message needs."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer, then to load: the other way round would delay the start."""
        await super().startup(sockets)
        warm_beside()


def serve(listener: socket.socket) -> None:
    """Answer requests until SIGTERM or Ctrl-C, then finish those under way."""
    share_arenas()
    Server(configuration()).run(sockets=[listener])


def configuration(application: Application | str = APPLICATION) -> uvicorn.Config:
    """How uvicorn serves an application here."""
    return uvicorn.Config(
        application,
        lifespan="off",
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        # What a proxy says of its callers counts only when it is one of ours.
        proxy_headers=bool(settings.LONGHAND_TRUSTED_PROXIES),
        forwarded_allow_ips=settings.LONGHAND_TRUSTED_PROXIES,
        timeout_graceful_shutdown=GRACEFUL_SECONDS,
    )
