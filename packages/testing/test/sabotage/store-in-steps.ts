import { later } from '@fastify-accounts/test-support/sabotage'
import {
  assertText,
  callDeadline,
  DuplicateError,
  InvalidArgumentError,
  type NewUser,
  type StoredUser,
  UnavailableError,
  type UserStore,
} from 'fastify-accounts'
import { freshUser, withChanges } from 'fastify-accounts/features'

/** What can go wrong between two steps. */
export type StepFault =
  | 'a rename writes over whatever is there'
  | 'identities are written over whatever version is there'
  | 'an update checks identities, then inserts them'
  | 'a creation checks identities, then inserts them'

/**
 * A store as on a key-value database: a call is one to three round trips, and keys that change are reserved before the user
 * is written, if the user is still the one that was read.
 */
export function createStoreInSteps(fault?: StepFault): UserStore {
  const users = new Map<string, StoredUser>()
  const idByKey = new Map<string, string>()
  let made = 0

  const copy = (user: StoredUser | undefined) => (user ? structuredClone(user) : null)
  const holderOf = (key: string) => copy(users.get(idByKey.get(key) ?? ''))

  /** Takes free keys, at once. Returns those that were not the user's. */
  function reserve(id: string, user: NewUser, checkOnly: readonly string[] = []): string[] {
    const keys = keysOf(user)
    for (const [field, key] of keys) {
      const holder = idByKey.get(key)
      if (holder !== undefined && holder !== id) throw new DuplicateError(field)
    }
    const taken = keys.map(([, key]) => key).filter((key) => !idByKey.has(key) && !checkOnly.includes(key))
    for (const key of taken) idByKey.set(key, id)
    return taken
  }

  function put(user: StoredUser): StoredUser {
    const keys = keysOf(user).map(([, key]) => key)
    for (const key of users.has(user.id) ? keysOf(users.get(user.id) ?? user) : [])
      if (!keys.includes(key[1])) idByKey.delete(key[1])
    for (const key of keys) idByKey.set(key, user.id)
    users.set(user.id, structuredClone(user))
    return structuredClone(user)
  }

  return {
    async create(given) {
      const step = steps()
      assertTexts(given)
      made += 1
      const user = { ...structuredClone(given), id: `${made}`, version: 1 }
      await step()
      const isFaulty = fault === 'a creation checks identities, then inserts them'
      reserve(user.id, user, isFaulty ? identitiesOf(user) : [])
      if (isFaulty) await step()
      return put(user)
    },

    async findById(id) {
      assertText('id', id)
      return copy(users.get(id))
    },
    async findByUsername(key) {
      assertText('usernameKey', key)
      return holderOf(`username:${key}`)
    },
    async findByEmail(key) {
      assertText('emailKey', key)
      return holderOf(`email:${key}`)
    },
    async findByIdentity(key) {
      assertText('identityKey', key)
      return holderOf(`identity:${key}`)
    },

    async update(id, given, expectedVersion) {
      const step = steps()
      assertText('id', id)
      const changes = structuredClone(given)
      assertTexts({ ...freshUser({ username: null, usernameKey: null }), ...withoutUndefined(changes) })
      await step()
      const old = users.get(id)
      if (old?.version !== expectedVersion) return null
      const user = { ...withChanges(old, changes), origin: old.origin, version: expectedVersion + 1 }
      if (!changes.usernameKey && !changes.emailKey && !changes.identityKeys) return put(user)
      const isUnchecked = fault === 'an update checks identities, then inserts them'
      const reserved = reserve(id, user, isUnchecked ? identitiesOf(user) : [])
      const release = () => {
        for (const key of reserved) idByKey.delete(key)
      }
      await step().catch((error) => {
        release()
        throw error
      })
      const isOverwriting =
        (fault === 'a rename writes over whatever is there' && changes.usernameKey) ||
        (fault === 'identities are written over whatever version is there' && changes.identityKeys)
      if (users.get(id)?.version === expectedVersion || isOverwriting) return put(user)
      release()
      return null
    },

    async delete(id, _messages, _successor, expectedVersion) {
      const step = steps()
      assertText('id', id)
      await step()
      const user = users.get(id)
      if (user && (expectedVersion ?? user.version) !== user.version) return false
      for (const [, key] of user ? keysOf(user) : []) idByKey.delete(key)
      return users.delete(id)
    },
  }
}

/** Round trips, none of which arrives after the deadline of the call that begins. */
function steps(): () => Promise<void> {
  const deadline = callDeadline()
  return async () => {
    await later()
    if (performance.now() >= deadline) throw new UnavailableError('the deadline has passed')
  }
}

function keysOf({ usernameKey, emailKey, identityKeys }: NewUser): [DuplicateError['field'], string][] {
  return [
    ...(usernameKey === null ? [] : [['username', `username:${usernameKey}`] as ['username', string]]),
    ...(emailKey === null ? [] : [['email', `email:${emailKey}`] as ['email', string]]),
    ...identityKeys.map((key): ['identity', string] => ['identity', `identity:${key}`]),
  ]
}

const identitiesOf = ({ identityKeys }: NewUser): string[] => identityKeys.map((key) => `identity:${key}`)

function withoutUndefined<Values extends object>(values: Values): { [Name in keyof Values]: never } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never
}

function assertTexts(user: NewUser): void {
  for (const name of ['username', 'usernameKey', 'email', 'emailKey'] as const)
    if (user[name] !== null) assertText(name, user[name])
  for (const key of user.identityKeys) assertText('identityKeys', key)
  if (!Number.isSafeInteger(user.sessionEpoch)) throw new InvalidArgumentError('sessionEpoch')
}
