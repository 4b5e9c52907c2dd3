import type { NewUser, Session } from 'fastify-accounts'

/** A new user of this name, with an address of the same name. */
export function newUser(name: string, changes: Partial<NewUser> = {}): NewUser {
  return {
    username: name,
    usernameKey: name,
    email: `${name}@example.com`,
    emailKey: `${name}@example.com`,
    passwordHash: 'hash',
    isVerified: false,
    isStaff: false,
    isActive: true,
    createdAt: new Date('2026-01-02T03:04:05.678Z'),
    lastLoginAt: null,
    sessionEpoch: 0,
    resetEpoch: 0,
    verifyEpoch: 0,
    fields: {},
    ...changes,
  }
}

export function newSession(id: string, changes: Partial<Session> = {}): Session {
  const now = Date.now()
  return {
    id,
    userId: 'ada',
    epoch: 0,
    createdAt: new Date(now),
    lastSeenAt: new Date(now),
    expiresAt: new Date(now + 60_000),
    ...changes,
  }
}
