/** The names of the types of columns. */
interface Types {
  /** Compared byte for byte, of at most 255 bytes, or 1024 with a key. */
  id: string
  key: string
  text: string
  flag: string
  time: string
  /** At the end of a table. */
  end?: string
}

/** The tables of a test. Columns have the names of the rows' properties, in double quotes. */
export function schemaOf({ id, key, text, flag, time, end = '' }: Types): string[] {
  return [
    `CREATE TABLE users (
      id ${id} NOT NULL PRIMARY KEY, kind ${id} NOT NULL, origin ${id} NOT NULL, username ${text}, "usernameKey" ${key} UNIQUE,
      email ${text}, "emailKey" ${key} UNIQUE, "passwordHash" ${text} NOT NULL,
      "isVerified" ${flag} NOT NULL, "isStaff" ${flag} NOT NULL, roles ${text} NOT NULL,
      "isActive" ${flag} NOT NULL, "createdAt" ${time} NOT NULL,
      "lastLoginAt" ${time}, "emailChangedAt" ${time}, "sessionEpoch" INTEGER NOT NULL,
      "resetEpoch" INTEGER NOT NULL, "verifyEpoch" INTEGER NOT NULL, version INTEGER NOT NULL,
      fields ${text} NOT NULL, factors ${text} NOT NULL, credentials ${text} NOT NULL,
      "identityKeys" ${text} NOT NULL, notes ${text} NOT NULL
    ) ${end}`,
    'CREATE INDEX users_created_at ON users ("createdAt", id)',
    `CREATE TABLE identities (
      "identityKey" ${key} NOT NULL PRIMARY KEY, "userId" ${id} NOT NULL,
      FOREIGN KEY ("userId") REFERENCES users (id) ON DELETE CASCADE
    ) ${end}`,
    'CREATE INDEX identities_user_id ON identities ("userId")',
    `CREATE TABLE outbox (
      id ${id} NOT NULL PRIMARY KEY, realm ${id} NOT NULL, message ${text} NOT NULL,
      "postedAt" ${time} NOT NULL, "dueAt" ${time}, claim ${id}, attempts INTEGER NOT NULL, error ${text}
    ) ${end}`,
    'CREATE INDEX outbox_due_at ON outbox (realm, "dueAt", id)',
    `CREATE TABLE sessions (
      id ${id} NOT NULL PRIMARY KEY, kind ${id} NOT NULL, name ${text}, "userId" ${id} NOT NULL,
      epoch INTEGER NOT NULL, "createdAt" ${time} NOT NULL, "lastSeenAt" ${time} NOT NULL,
      "expiresAt" ${time} NOT NULL, details ${text}, methods ${text}, "confirmedAt" ${time},
      "priorConfirmedAt" ${time}, confirmation INTEGER NOT NULL, generation INTEGER NOT NULL,
      "seenGeneration" INTEGER NOT NULL, "baseGeneration" INTEGER NOT NULL, "nextBase" INTEGER, "settlesAt" ${time}
    ) ${end}`,
    'CREATE INDEX sessions_user_id ON sessions ("userId")',
    'CREATE INDEX sessions_expires_at ON sessions ("expiresAt")',
    `CREATE TABLE invitations (
      id ${id} NOT NULL PRIMARY KEY, target ${id} NOT NULL, "inviterId" ${id} NOT NULL, email ${text} NOT NULL,
      "emailKey" ${key} NOT NULL, gives ${text} NOT NULL, "createdAt" ${time} NOT NULL,
      "expiresAt" ${time} NOT NULL, sends INTEGER NOT NULL, "acceptingUntil" ${time}, version INTEGER NOT NULL,
      UNIQUE (target, "inviterId", "emailKey")
    ) ${end}`,
    'CREATE INDEX invitations_email_key ON invitations ("emailKey")',
    'CREATE INDEX invitations_created_at ON invitations ("createdAt", id)',
    'CREATE INDEX invitations_expires_at ON invitations ("expiresAt")',
    `CREATE TABLE organizations (
      id ${id} NOT NULL PRIMARY KEY, slug ${key} NOT NULL UNIQUE, name ${text} NOT NULL, fields ${text} NOT NULL,
      "createdAt" ${time} NOT NULL, members INTEGER NOT NULL, owners INTEGER NOT NULL, version INTEGER NOT NULL
    ) ${end}`,
    'CREATE INDEX organizations_created_at ON organizations ("createdAt", id)',
    `CREATE TABLE members (
      "organizationId" ${id} NOT NULL, "userId" ${id} NOT NULL, roles ${text} NOT NULL, since ${time} NOT NULL,
      "invitationId" ${id}, PRIMARY KEY ("organizationId", "userId")
    ) ${end}`,
    'CREATE INDEX members_organization_id ON members ("organizationId", since, "userId")',
    'CREATE INDEX members_user_id ON members ("userId", since, "organizationId")',
  ]
}
