"""The labels a memory may carry."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone


class Category(models.Model):
    """A label for memories: built in, configured, or added by a person.

    A row of a configured one says only by which words it is known.
    """

    class Origin(models.TextChoices):
        """Where a category comes from."""

        BUILT_IN = "built_in"
        CONFIGURED = "configured"
        PERSON = "person"

    name = models.CharField(max_length=64, primary_key=True)
    origin = models.CharField(max_length=12, choices=Origin.choices, default=Origin.PERSON)
    patterns = ArrayField(models.CharField(max_length=64), default=list, blank=True)
    recorded_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name_plural = "categories"

    def __str__(self) -> str:
        return self.name
