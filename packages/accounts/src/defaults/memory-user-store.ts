import { v7 as uuidv7 } from 'uuid'
import { assertInTime } from '../seams/call-deadline.js'
import { assertText, DuplicateError } from '../seams/store-errors.js'
import type {
  ListingUserStore,
  UserFilter,
  UserPosition,
  UserPrefix,
  UserSearch,
} from '../seams/user-store.js'
import { type NewUser, type StoredUser, type User, withChanges } from '../user.js'

/**
 * A user store in this process' memory: for tests and trying out. It is empty after a restart, and two processes
 * do not see each other's users. Ids are UUIDv7 (RFC 9562).
 *
 * @throws DuplicateError, InvalidArgumentError from its methods, as `UserStore` says; UnavailableError only after a call's
 * deadline
 */
export function createMemoryUserStore(): ListingUserStore {
  const byId = new Map<string, StoredUser>()
  /** By field and key, as `keysOf` has them. */
  const idByKey = new Map<string, string>()
  // Kept in list order, so no page has to sort them all.
  const inOrder: StoredUser[] = []

  const copyOf = (id: string | undefined): StoredUser | null => {
    const user = id === undefined ? undefined : byId.get(id)
    return user === undefined ? null : copy(user)
  }

  // No `await` between checking the keys and writing the record; this alone settles races.
  function assertFree(user: NewUser, ownId?: string): void {
    for (const [field, key] of keysOf(user)) {
      const holder = idByKey.get(`${field}:${key}`)
      if (holder !== undefined && holder !== ownId) throw new DuplicateError(field)
    }
  }

  function put(user: StoredUser): void {
    byId.set(user.id, user)
    for (const [field, key] of keysOf(user)) idByKey.set(`${field}:${key}`, user.id)
  }

  function remove(user: StoredUser): void {
    byId.delete(user.id)
    for (const [field, key] of keysOf(user)) idByKey.delete(`${field}:${key}`)
  }

  return {
    async create(newUser) {
      assertInTime()
      assertTexts(newUser)
      assertFree(newUser)
      const user: StoredUser = { ...copy(newUser), id: uuidv7(), version: 1 }
      put(user)
      inOrder.splice(countUntil(inOrder, user, byCreation), 0, user)
      return copy(user)
    },

    async findById(id) {
      assertText('id', id)
      return copyOf(id)
    },

    async findByUsername(usernameKey) {
      assertText('usernameKey', usernameKey)
      return copyOf(idByKey.get(`username:${usernameKey}`))
    },

    async findByEmail(emailKey) {
      assertText('emailKey', emailKey)
      return copyOf(idByKey.get(`email:${emailKey}`))
    },

    async findByIdentity(identityKey) {
      assertText('identityKey', identityKey)
      return copyOf(idByKey.get(`identity:${identityKey}`))
    },

    async list({ limit, after, prefix, search, where = {}, order = { by: 'createdAt' } }) {
      const key = keyOf(prefix)?.[0] ?? order.by
      const compare = key === 'createdAt' ? byCreation : byKey(key)
      const sorted = key === 'createdAt' ? inOrder : [...inOrder].sort(compare)
      const until = after === undefined ? 0 : countUntil(sorted, after, compare)
      const last = sorted[until - 1]
      // Descending, it continues before the user at exactly this position, if there is one.
      const isHeld = after !== undefined && last !== undefined && compare(last, after) === 0
      const behind = after === undefined ? sorted.length : until - Number(isHeld)
      const found: StoredUser[] = []
      const [first, step] = order.descending ? [behind - 1, -1] : [until, 1]
      for (let at = first; at >= 0 && at < sorted.length && found.length < limit; at += step) {
        const user = sorted[at]
        if (user === undefined || !matches(user, where)) continue
        if (beginsWith(user, prefix) && contains(user, search)) found.push(copy(user))
      }
      return found
    },

    listsBy: ['createdAt', 'usernameKey', 'flags', 'prefix', 'search'],

    async update(id, changes, expectedVersion) {
      assertInTime()
      assertText('id', id)
      const old = byId.get(id)
      if (old?.version !== expectedVersion) return null
      const { createdAt, origin } = old
      const changed = { ...withChanges(old, changes), id, createdAt, origin, version: old.version + 1 }
      assertTexts(changed)
      assertFree(changed, id)
      const kept = copy(changed)
      remove(old)
      // The same object, which keeps its place in the list.
      put(Object.assign(old, kept))
      return copy(changed)
    },

    async delete(id, _messages, _successor, expectedVersion) {
      assertInTime()
      assertText('id', id)
      const user = byId.get(id)
      if (user === undefined || (expectedVersion ?? user.version) !== user.version) return false
      remove(user)
      inOrder.splice(countUntil(inOrder, user, byCreation) - 1, 1)
      return true
    },
  }
}

/** The keys that no other user may have. */
function keysOf({
  usernameKey,
  emailKey,
  identityKeys,
}: NewUser): ['username' | 'email' | 'identity', string][] {
  return [
    ...(usernameKey === null ? [] : [['username', usernameKey] as ['username', string]]),
    ...(emailKey === null ? [] : [['email', emailKey] as ['email', string]]),
    ...identityKeys.map((key): ['identity', string] => ['identity', key]),
  ]
}

/** The result of structuredClone in a tenth of its time: only these parts of a user can be changed from outside. */
function copy<Given extends NewUser>(user: Given): Given {
  const { createdAt, lastLoginAt, emailChangedAt } = user
  const { roles, fields, factors, credentials, identityKeys, notes } = user
  return {
    ...user,
    createdAt: new Date(createdAt),
    lastLoginAt: lastLoginAt && new Date(lastLoginAt),
    emailChangedAt: emailChangedAt && new Date(emailChangedAt),
    fields: Object.keys(fields).length === 0 ? {} : structuredClone(fields),
    roles: [...roles],
    factors: [...factors],
    credentials: credentials.length === 0 ? [] : structuredClone(credentials),
    identityKeys: [...identityKeys],
    notes: Object.keys(notes).length === 0 ? {} : structuredClone(notes),
  }
}

function assertTexts(user: NewUser): void {
  for (const field of ['usernameKey', 'username', 'emailKey', 'email'] as const)
    if (user[field] !== null) assertText(field, user[field])
  for (const key of user.identityKeys) assertText('identityKeys', key)
}

function matches(user: User, { kind = user.kind, isUsed, ...flags }: UserFilter): boolean {
  return (
    user.kind === kind &&
    (isUsed === undefined || isUsed === (user.isVerified || user.lastLoginAt !== null)) &&
    (['isActive', 'isStaff', 'isVerified'] as const).every(
      (flag) => flags[flag] === undefined || user[flag] === flags[flag],
    )
  )
}

function contains({ fields }: User, search: UserSearch | undefined): boolean {
  const wanted = smallLetters(search?.text ?? '')
  return (
    search === undefined ||
    search.fields.some((name) => {
      const value = Object.hasOwn(fields, name) ? fields[name] : undefined
      return typeof value === 'string' && smallLetters(value).includes(wanted)
    })
  )
}

/** Only of ASCII: databases differ in the others. */
function smallLetters(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

function beginsWith(user: User, prefix: UserPrefix | undefined): boolean {
  const [key, start] = keyOf(prefix) ?? []
  return key === undefined || start === undefined || user[key]?.startsWith(start) === true
}

function keyOf(prefix: UserPrefix | undefined): ['usernameKey' | 'emailKey', string] | undefined {
  if (prefix === undefined) return undefined
  return prefix.usernameKey === undefined
    ? ['emailKey', prefix.emailKey]
    : ['usernameKey', prefix.usernameKey]
}

type Compare = (a: UserPosition, b: UserPosition) => number

/** How many users are at this position or before it. */
function countUntil(sorted: readonly User[], place: UserPosition, compare: Compare): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const user = sorted[middle]
    if (user !== undefined && compare(user, place) <= 0) low = middle + 1
    else high = middle
  }
  return low
}

function byCreation(a: UserPosition, b: UserPosition): number {
  return a.createdAt.getTime() - b.createdAt.getTime() || compareTexts(a.id, b.id)
}

/** Users without the key come last: no Unicode character sorts after the last one. */
function byKey(key: 'usernameKey' | 'emailKey'): Compare {
  const orderKey = (place: UserPosition): string => place[key] ?? `\u{10ffff}${place.id}`
  return (a, b) => compareTexts(orderKey(a), orderKey(b))
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
