import { v7 as uuidv7 } from 'uuid'
import { assertText, DuplicateError } from '../seams/store-errors.js'
import type { UserPosition, UserPrefix, UserStore } from '../seams/user-store.js'
import type { NewUser, User } from '../user.js'

/**
 * A user store in this process' memory: for tests and trying out. It is empty after a restart, and two processes
 * do not see each other's users. Ids are UUIDv7 (RFC 9562).
 *
 * @throws DuplicateError, InvalidArgumentError from its methods, as `UserStore` says; never UnavailableError
 */
export function createMemoryUserStore(): UserStore {
  const byId = new Map<string, User>()
  const idByUsername = new Map<string, string>()
  const idByEmail = new Map<string, string>()
  // Kept in the order of the list, so that no page sorts them all.
  const inOrder: User[] = []

  const copyOf = (id: string | undefined): User | null => {
    const user = id === undefined ? undefined : byId.get(id)
    return user === undefined ? null : copy(user)
  }

  // Nothing awaits between the check of the keys and the writing of the record: that alone settles the races.
  function assertFree(user: NewUser, ownId?: string): void {
    const holder = idByUsername.get(user.usernameKey)
    if (holder !== undefined && holder !== ownId) throw new DuplicateError('username')
    const mailHolder = user.emailKey === null ? undefined : idByEmail.get(user.emailKey)
    if (mailHolder !== undefined && mailHolder !== ownId) throw new DuplicateError('email')
  }

  function put(user: User): void {
    byId.set(user.id, user)
    idByUsername.set(user.usernameKey, user.id)
    if (user.emailKey !== null) idByEmail.set(user.emailKey, user.id)
  }

  function remove(user: User): void {
    byId.delete(user.id)
    idByUsername.delete(user.usernameKey)
    if (user.emailKey !== null) idByEmail.delete(user.emailKey)
  }

  /** How many users stand at this place or before it. */
  function countUntil(place: UserPosition): number {
    let [low, high] = [0, inOrder.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const user = inOrder[middle]
      if (user !== undefined && comparePositions(user, place) <= 0) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    async create(given) {
      assertTexts(given)
      assertFree(given)
      const user: User = { ...copy(given), id: uuidv7(), version: 1 }
      put(user)
      inOrder.splice(countUntil(user), 0, user)
      return copy(user)
    },

    async findById(id) {
      assertText('id', id)
      return copyOf(id)
    },

    async findByUsername(usernameKey) {
      assertText('usernameKey', usernameKey)
      return copyOf(idByUsername.get(usernameKey))
    },

    async findByEmail(emailKey) {
      assertText('emailKey', emailKey)
      return copyOf(idByEmail.get(emailKey))
    },

    async list({ limit, after, prefix }) {
      const start = after === undefined ? 0 : countUntil(after)
      if (prefix === undefined) return inOrder.slice(start, start + limit).map(copy)
      const found: User[] = []
      for (let at = start; at < inOrder.length && found.length < limit; at += 1) {
        const user = inOrder[at]
        if (user !== undefined && beginsWith(user, prefix)) found.push(user)
      }
      return found.map(copy)
    },

    async update(id, changes, expectedVersion) {
      assertText('id', id)
      const old = byId.get(id)
      if (old?.version !== expectedVersion) return null
      const given = Object.entries(changes).filter(([, value]) => value !== undefined)
      const { createdAt } = old
      const changed: User = { ...old, ...Object.fromEntries(given), id, createdAt, version: old.version + 1 }
      assertTexts(changed)
      assertFree(changed, id)
      const kept = copy(changed)
      remove(old)
      // The same object, which keeps its place in the list.
      put(Object.assign(old, kept))
      return copy(changed)
    },

    async delete(id) {
      assertText('id', id)
      const user = byId.get(id)
      if (user === undefined) return false
      remove(user)
      inOrder.splice(countUntil(user) - 1, 1)
      return true
    },
  }
}

/** What structuredClone gives, in a tenth of its time: of a user only these can be changed from outside. */
function copy<Given extends NewUser>(user: Given): Given {
  const { createdAt, lastLoginAt, emailChangedAt, fields } = user
  return {
    ...user,
    createdAt: new Date(createdAt),
    lastLoginAt: lastLoginAt && new Date(lastLoginAt),
    emailChangedAt: emailChangedAt && new Date(emailChangedAt),
    fields: Object.keys(fields).length === 0 ? {} : structuredClone(fields),
  }
}

function assertTexts(user: NewUser): void {
  assertText('usernameKey', user.usernameKey)
  assertText('username', user.username)
  if (user.emailKey !== null) assertText('emailKey', user.emailKey)
  if (user.email !== null) assertText('email', user.email)
}

function beginsWith(user: User, { usernameKey, emailKey }: UserPrefix): boolean {
  if (user.usernameKey.startsWith(usernameKey)) return true
  return emailKey !== undefined && user.emailKey?.startsWith(emailKey) === true
}

function comparePositions(a: UserPosition, b: UserPosition): number {
  const byTime = a.createdAt.getTime() - b.createdAt.getTime()
  if (byTime !== 0) return byTime
  if (a.id === b.id) return 0
  return a.id < b.id ? -1 : 1
}
