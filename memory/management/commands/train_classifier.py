"""manage.py train_classifier: learn the classifier from its labelled examples."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from memory.domain.errors import Permanent, Retryable
from memory.management.classifier import embed_examples, is_current, train_and_store


class Command(BaseCommand):
    """Learns the same bytes on every run; needs no database and, without --embed, no model."""

    help = "Learn the classifier from memory/domain/classifier/examples and store it."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Add the two options; one writes and the other must not."""
        either = parser.add_mutually_exclusive_group()
        either.add_argument(
            "--check", action="store_true", help="only say whether the stored one is what it gives"
        )
        either.add_argument(
            "--embed", action="store_true", help="first make the vectors of new examples"
        )

    def handle(self, *_args: object, **options: object) -> None:
        """Learn, then store or compare."""
        try:
            if options["embed"]:
                embed_examples(self.stdout.write)
            if not options["check"]:
                return train_and_store(self.stdout.write)
            if is_current():
                return self.stdout.write("The classifier is what its examples give.")
        except (Permanent, Retryable) as error:
            raise CommandError(str(error), returncode=2) from error
        raise CommandError(
            "The classifier is not what its examples give. Run manage.py train_classifier.",
            returncode=1,
        )
