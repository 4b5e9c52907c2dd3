CREATE TABLE IF NOT EXISTS users (
  id TEXT NOT NULL PRIMARY KEY, kind TEXT NOT NULL, origin TEXT NOT NULL, username TEXT,
  usernameKey TEXT UNIQUE, email TEXT, emailKey TEXT UNIQUE, passwordHash TEXT NOT NULL,
  isVerified INTEGER NOT NULL, isStaff INTEGER NOT NULL, roles TEXT NOT NULL, isActive INTEGER NOT NULL,
  createdAt INTEGER NOT NULL, lastLoginAt INTEGER, emailChangedAt INTEGER,
  sessionEpoch INTEGER NOT NULL, resetEpoch INTEGER NOT NULL, verifyEpoch INTEGER NOT NULL,
  version INTEGER NOT NULL, fields TEXT NOT NULL, factors TEXT NOT NULL, credentials TEXT NOT NULL,
  identityKeys TEXT NOT NULL, notes TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS users_created_at ON users (createdAt, id);
CREATE TABLE IF NOT EXISTS identities (
  identityKey TEXT NOT NULL PRIMARY KEY, userId TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE
);
CREATE INDEX IF NOT EXISTS identities_user_id ON identities (userId);
CREATE TABLE IF NOT EXISTS outbox (
  id TEXT NOT NULL PRIMARY KEY, realm TEXT NOT NULL, message TEXT NOT NULL, postedAt INTEGER NOT NULL,
  dueAt INTEGER, claim TEXT, attempts INTEGER NOT NULL, error TEXT
);
CREATE INDEX IF NOT EXISTS outbox_due_at ON outbox (realm, dueAt, id);
CREATE TABLE IF NOT EXISTS sessions (
  id TEXT NOT NULL PRIMARY KEY, kind TEXT NOT NULL, name TEXT, userId TEXT NOT NULL, epoch INTEGER NOT NULL,
  createdAt INTEGER NOT NULL, lastSeenAt INTEGER NOT NULL, expiresAt INTEGER NOT NULL,
  details TEXT, methods TEXT NOT NULL, confirmedAt INTEGER, priorConfirmedAt INTEGER,
  confirmation INTEGER NOT NULL, generation INTEGER NOT NULL, seenGeneration INTEGER NOT NULL,
  baseGeneration INTEGER NOT NULL, nextBase INTEGER, settlesAt INTEGER
);
CREATE INDEX IF NOT EXISTS sessions_user_id ON sessions (userId);
CREATE INDEX IF NOT EXISTS sessions_expires_at ON sessions (expiresAt);
