import { open, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import {
  assertText,
  callDeadline,
  DuplicateError,
  type ListingUserStore,
  type StoredUser,
  UnavailableError,
  type UserFilter,
  type UserOrder,
  type UserPosition,
  type UserPrefix,
  type UserSearch,
} from 'fastify-accounts'
import { v7 as uuidv7 } from 'uuid'

/**
 * A user store in one JSON file.
 *
 * For a tool, a prototype or an organization with a few thousand users: one process, all users in memory, and each
 * change writes the whole file. Acknowledged changes survive a crash and a power cut.
 * Not for several processes on one file, which would overwrite each other's users, nor for a network drive, nor for
 * many logins a second, because each login is a change.
 *
 * @param path the file; created at the first change, readable only by its owner
 * @throws SyntaxError if the file is not JSON, and any error of reading the file
 */
export async function openJsonUserStore(path: string): Promise<ListingUserStore> {
  let users = await load(path)
  let lastChange: Promise<unknown> = Promise.resolve()

  // Changes run one at a time, so nothing is written between the check of the keys and the rename.
  function change<Result>(job: (draft: StoredUser[]) => Result): Promise<Result> {
    const deadline = callDeadline()
    const next = lastChange.then(async () => {
      const draft = users.slice()
      const result = job(draft)
      if (result) await save(path, draft, deadline)
      users = draft
      return structuredClone(result)
    })
    lastChange = next.catch(() => undefined)
    return next
  }

  async function findBy(key: 'id' | 'usernameKey' | 'emailKey', value: string): Promise<StoredUser | null> {
    assertText(key, value)
    return structuredClone(users.find((user) => user[key] === value) ?? null)
  }

  return {
    async create(given) {
      const user: StoredUser = { ...structuredClone(given), id: uuidv7(), version: 1 }
      return change((draft) => {
        assertKeys(user, draft)
        draft.push(user)
        return user
      })
    },

    findById: (id) => findBy('id', id),
    findByUsername: (usernameKey) => findBy('usernameKey', usernameKey),
    findByEmail: (emailKey) => findBy('emailKey', emailKey),

    async findByIdentity(identityKey) {
      assertText('identityKey', identityKey)
      return structuredClone(users.find((user) => user.identityKeys.includes(identityKey)) ?? null)
    },

    async list({ limit, after, prefix, search, where = {}, order = { by: 'createdAt' } }) {
      const compare = comparing(prefix === undefined ? order : { by: keyOf(prefix) })
      const rest = users.filter(
        (user) =>
          (after === undefined || compare(user, after) > 0) &&
          (prefix === undefined || beginsWith(user, prefix)) &&
          (search === undefined || contains(user, search)) &&
          matches(user, where),
      )
      return structuredClone(rest.sort(compare).slice(0, limit))
    },

    listsBy: ['createdAt', 'usernameKey', 'flags', 'prefix', 'search'],

    async update(id, changes, expectedVersion) {
      assertText('id', id)
      const set = Object.entries(structuredClone(changes)).filter(([, value]) => value !== undefined)
      return change((draft) => {
        const index = draft.findIndex((user) => user.id === id)
        const old = draft[index]
        if (old?.version !== expectedVersion) return null
        const { origin, version } = old
        const user: StoredUser = { ...old, ...Object.fromEntries(set), origin, version: version + 1 }
        assertKeys(user, draft.toSpliced(index, 1))
        draft[index] = user
        return user
      })
    },

    async delete(id, _messages, _successor, expectedVersion) {
      assertText('id', id)
      return change((draft) => {
        const isIt = ({ id: own, version }: StoredUser) =>
          own === id && (expectedVersion ?? version) === version
        const index = draft.findIndex(isIt)
        if (index >= 0) draft.splice(index, 1)
        return index >= 0
      })
    },
  }
}

function assertKeys({ usernameKey, emailKey, identityKeys }: StoredUser, others: StoredUser[]): void {
  if (usernameKey !== null) assertText('usernameKey', usernameKey)
  if (emailKey !== null) assertText('emailKey', emailKey)
  const isNameTaken = usernameKey !== null && others.some((user) => user.usernameKey === usernameKey)
  if (isNameTaken) throw new DuplicateError('username')
  const isTaken = emailKey !== null && others.some((user) => user.emailKey === emailKey)
  if (isTaken) throw new DuplicateError('email')
  for (const key of identityKeys) {
    assertText('identityKeys', key)
    if (others.some((user) => user.identityKeys.includes(key))) throw new DuplicateError('identity')
  }
}

/** The key that a prefix is of, in whose order its list is. */
const keyOf = (prefix: UserPrefix) => (prefix.usernameKey === undefined ? 'emailKey' : 'usernameKey')

function beginsWith(user: StoredUser, prefix: UserPrefix): boolean {
  const key = keyOf(prefix)
  return user[key]?.startsWith(prefix[key] ?? '') === true
}

function contains(user: StoredUser, { text, fields }: UserSearch): boolean {
  const lower = (mixed: string) => mixed.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
  const isIn = (value: unknown) => typeof value === 'string' && lower(value).includes(lower(text))
  return Object.entries(user.fields).some(([name, value]) => fields.includes(name) && isIn(value))
}

function matches(user: StoredUser, { kind, isUsed, ...flags }: UserFilter): boolean {
  const { isActive, isStaff, isVerified } = flags
  const is = <Value>(value: Value, wanted: Value | undefined) => wanted === undefined || value === wanted
  return (
    is(user.kind, kind) &&
    is(user.isVerified || user.lastLoginAt !== null, isUsed) &&
    is(user.isActive, isActive) &&
    is(user.isStaff, isStaff) &&
    is(user.isVerified, isVerified)
  )
}

interface Order {
  by: UserOrder['by'] | 'emailKey'
  descending?: boolean | undefined
}

function comparing({ by, descending }: Order): (a: UserPosition, b: UserPosition) => number {
  const compareTexts = (a: string, b: string) => (a < b ? -1 : Number(a > b))
  const compare = (a: UserPosition, b: UserPosition) =>
    by === 'createdAt'
      ? a.createdAt.getTime() - b.createdAt.getTime() || compareTexts(a.id, b.id)
      : compareTexts(a[by] ?? '\u{10ffff}', b[by] ?? '\u{10ffff}') || compareTexts(a.id, b.id)
  return descending ? (a, b) => compare(b, a) : compare
}

async function load(path: string): Promise<StoredUser[]> {
  const json = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '[]'
    throw error
  })
  const users: StoredUser[] = JSON.parse(json)
  for (const user of users) {
    user.createdAt = new Date(user.createdAt)
    if (user.lastLoginAt !== null) user.lastLoginAt = new Date(user.lastLoginAt)
    if (user.emailChangedAt !== null) user.emailChangedAt = new Date(user.emailChangedAt)
    // Absent in files written before these existed.
    user.kind ??= 'person'
    user.origin ??= 'self'
    user.roles ??= []
    user.factors ??= []
    user.credentials ??= []
    user.identityKeys ??= []
    user.notes ??= {}
  }
  return users
}

/** Atomic: the new file is flushed to disk before it's renamed, so a crash leaves the old file or the new one. */
async function save(path: string, users: StoredUser[], deadline: number): Promise<void> {
  try {
    await writeFile(`${path}.new`, JSON.stringify(users), { mode: 0o600, flush: true })
    // By then the response was 503, so this must not happen later.
    if (performance.now() >= deadline) throw new Error('the deadline has passed')
    await rename(`${path}.new`, path)
    const folder = await open(dirname(path))
    await folder.sync().finally(() => folder.close())
  } catch (error) {
    throw new UnavailableError('the users file cannot be written', { cause: error })
  }
}
