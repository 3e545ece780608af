"""Small stores as other systems write them, built from the tables that they document."""

import sqlite3
from contextlib import closing
from pathlib import Path

HYBRID = """
CREATE TABLE facts (
    id TEXT PRIMARY KEY, text TEXT NOT NULL, why TEXT, category TEXT NOT NULL DEFAULT 'other',
    importance REAL NOT NULL DEFAULT 0.5, entity TEXT, key TEXT, value TEXT,
    source TEXT NOT NULL DEFAULT 'conversation', created_at INTEGER NOT NULL, decay_class TEXT,
    expires_at INTEGER, last_confirmed_at INTEGER, confidence REAL NOT NULL DEFAULT 1.0,
    decay_freeze_until INTEGER, tags TEXT, source_date INTEGER, valid_from INTEGER,
    valid_until INTEGER, supersedes_id TEXT, superseded_at INTEGER, superseded_by TEXT,
    scope TEXT NOT NULL DEFAULT 'global', scope_target TEXT, tier TEXT DEFAULT 'warm',
    recall_count INTEGER DEFAULT 0, embedding_model TEXT
);
CREATE TABLE memory_links (id TEXT, source TEXT, target TEXT, type TEXT, strength REAL);
INSERT INTO facts (id, text, why, category, importance, entity, key, value, created_at,
                   decay_class, confidence, tags, source_date)
VALUES ('f1', 'Ines signs off every build.', 'Said in standup', 'rule', 0.9, 'Ines', 'role',
        'release lead', 1769860800, 'permanent', 0.8, 'team,release', 1767225600);
INSERT INTO facts (id, text, category, created_at) VALUES ('f2', 'The boat is blue.', 'edict', 1);
INSERT INTO facts (id, text, created_at, superseded_at) VALUES ('f3', 'Old wording.', 1, 2);
INSERT INTO facts (id, text, created_at, expires_at) VALUES ('f4', 'Long gone.', 1, 2);
INSERT INTO facts (id, text, created_at) VALUES ('f5', '   ', 1);
"""
OKBRAIN = """
CREATE TABLE users (id TEXT PRIMARY KEY, email TEXT UNIQUE, password TEXT);
CREATE TABLE facts (
    id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users(id) ON DELETE CASCADE,
    category TEXT NOT NULL CHECK (category IN ('core', 'technical', 'project', 'transient')),
    fact TEXT NOT NULL, created_at TEXT NOT NULL
);
INSERT INTO users VALUES ('u1', 'ada@example.org', 'x'), ('u2', 'ben@example.org', 'x');
INSERT INTO facts VALUES ('a', 'u1', 'core', 'Plays the cello', '2026-01-31 12:00:00');
INSERT INTO facts VALUES ('b', 'u1', 'transient', 'Has a cold', '2026-01-31T13:00:00Z');
INSERT INTO facts VALUES ('c', 'u2', 'technical', 'Runs a NAS', '2026-01-31 14:00:00');
"""


def store(path: Path, script: str) -> Path:
    with closing(sqlite3.connect(path)) as made:
        made.executescript(script)
    return path
