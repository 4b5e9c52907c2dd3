import { newUser as anyUser } from '@fastify-accounts/testing'
import type { NewUser, Session } from 'fastify-accounts'

/** A new user with this name, and an address based on it. */
export function newUser(name: string, changes: Partial<NewUser> = {}): NewUser {
  const email = `${name}@example.com`
  return anyUser({
    username: name,
    usernameKey: name,
    email,
    emailKey: email,
    passwordHash: 'hash',
    ...changes,
  })
}

export function newSession(id: string, changes: Partial<Session> = {}): Session {
  const now = Date.now()
  return {
    id,
    kind: 'cookie',
    name: null,
    userId: 'ada',
    epoch: 0,
    createdAt: new Date(now),
    lastSeenAt: new Date(now),
    details: null,
    methods: [],
    confirmedAt: null,
    priorConfirmedAt: null,
    confirmation: 0,
    generation: 0,
    seenGeneration: 0,
    baseGeneration: 0,
    nextBase: null,
    settlesAt: null,
    expiresAt: new Date(now + 60_000),
    ...changes,
  }
}
