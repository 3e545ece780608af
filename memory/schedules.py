"""The jobs of the memory that run by the clock."""

from memory.services.schedules import Declaration

SCHEDULES = [
    Declaration("count-scopes", "memory.tasks.count_scopes", minutes=10),
    Declaration("prune-job-runs", "memory.tasks.prune_job_runs", minutes=24 * 60),
    Declaration("prune-sign-in-links", "memory.tasks.prune_sign_in_links", minutes=24 * 60),
    Declaration("prune-sessions", "memory.tasks.prune_sessions", minutes=24 * 60),
]
