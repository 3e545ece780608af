"""A cache in Redis that is as good as empty while Redis is away, so that no page depends on it."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from django.core.cache import caches
from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis import Redis

from memory.backends.broker.redis import client, translated
from memory.domain.errors import Retryable

T = TypeVar("T")
IS_THERE = False


class _Client(RedisCacheClient):
    def get_client(self, key: Any = None, *, write: bool = False) -> Redis:
        return client(self._servers[0])  # type: ignore[attr-defined]  # its stubs leave it out


class PatientCache(RedisCache):
    """Django's cache, which answers with defaults in place of errors."""

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = _Client

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        """The value, or the default."""
        return _or(default, lambda: super(PatientCache, self).get(key, default, version))

    def set(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> None:
        """Keep the value if that is possible."""
        _or(None, lambda: super(PatientCache, self).set(key, value, timeout, version))

    def add(
        self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> bool:
        """Whether the key is new; while Redis is away the database says so.

        Somebody who adds wants to be the only one: a code opens once.
        """
        try:
            with translated():
                return super().add(key, value, timeout, version)
        except Retryable:
            return caches["counters"].add(key, value, timeout, version)

    def delete(self, key: Any, version: int | None = None) -> bool:
        """Whether there was a value to delete."""
        return _or(IS_THERE, lambda: super(PatientCache, self).delete(key, version))

    def get_many(self, keys: Iterable[Any], version: int | None = None) -> dict[Any, Any]:
        """Those values that are there."""
        return _or({}, lambda: super(PatientCache, self).get_many(list(keys), version))


def _or(default: T, work: Callable[[], T]) -> T:
    try:
        with translated():
            return work()
    except Retryable:
        return default
