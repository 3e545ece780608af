"""The web process: uvicorn on one socket."""

import socket

import uvicorn

GRACEFUL_SECONDS = 4
APPLICATION = "dashboard.project.asgi:application"


def serve(listener: socket.socket) -> None:
    """Answer requests until SIGTERM or Ctrl-C, then finish those under way."""
    config = uvicorn.Config(
        APPLICATION,
        lifespan="off",
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=GRACEFUL_SECONDS,
    )
    uvicorn.Server(config).run(sockets=[listener])
