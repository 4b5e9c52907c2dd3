import { open, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import {
  assertText,
  DuplicateError,
  UnavailableError,
  type User,
  type UserPrefix,
  type UserStore,
} from 'fastify-accounts'
import { v7 as uuidv7 } from 'uuid'

/**
 * A user store in one JSON file.
 *
 * For a tool, a prototype, a house with some thousand users: one process, all users in memory, and each change
 * writes the whole file. What was acknowledged survives a crash and a power cut.
 * Not for two processes on one file, which would overwrite each other's users, nor for a network drive, nor for
 * many logins a second: each login is a change.
 *
 * @param path the file; it is made at the first change, and its owner alone may read it
 * @throws SyntaxError where the file is not JSON, and what reading a file throws
 */
export async function openJsonUserStore(path: string): Promise<UserStore> {
  let users = await load(path)
  let lastChange: Promise<unknown> = Promise.resolve()

  // One change after the other: between the check of the keys and the rename nobody else writes.
  function change<Result>(job: (draft: User[]) => Result): Promise<Result> {
    const next = lastChange.then(async () => {
      const draft = users.slice()
      const result = job(draft)
      if (result) await save(path, draft)
      users = draft
      return structuredClone(result)
    })
    lastChange = next.catch(() => undefined)
    return next
  }

  async function findBy(key: 'id' | 'usernameKey' | 'emailKey', value: string): Promise<User | null> {
    assertText(key, value)
    return structuredClone(users.find((user) => user[key] === value) ?? null)
  }

  return {
    async create(given) {
      const user: User = { ...structuredClone(given), id: uuidv7(), version: 1 }
      return change((draft) => {
        assertKeys(user, draft)
        draft.push(user)
        return user
      })
    },

    findById: (id) => findBy('id', id),
    findByUsername: (usernameKey) => findBy('usernameKey', usernameKey),
    findByEmail: (emailKey) => findBy('emailKey', emailKey),

    async list({ limit, after, prefix }) {
      const rest = users.filter(
        (user) =>
          (after === undefined || comparePositions(user, after) > 0) &&
          (prefix === undefined || beginsWith(user, prefix)),
      )
      return structuredClone(rest.sort(comparePositions).slice(0, limit))
    },

    async update(id, changes, expectedVersion) {
      assertText('id', id)
      const set = Object.entries(structuredClone(changes)).filter(([, value]) => value !== undefined)
      return change((draft) => {
        const index = draft.findIndex((user) => user.id === id)
        const old = draft[index]
        if (old?.version !== expectedVersion) return null
        const user: User = { ...old, ...Object.fromEntries(set), version: old.version + 1 }
        assertKeys(user, draft.toSpliced(index, 1))
        draft[index] = user
        return user
      })
    },

    async delete(id) {
      assertText('id', id)
      return change((draft) => {
        const index = draft.findIndex((user) => user.id === id)
        if (index >= 0) draft.splice(index, 1)
        return index >= 0
      })
    },
  }
}

function assertKeys({ usernameKey, emailKey }: User, others: User[]): void {
  assertText('usernameKey', usernameKey)
  if (emailKey !== null) assertText('emailKey', emailKey)
  if (others.some((user) => user.usernameKey === usernameKey)) throw new DuplicateError('username')
  const isTaken = emailKey !== null && others.some((user) => user.emailKey === emailKey)
  if (isTaken) throw new DuplicateError('email')
}

function beginsWith(user: User, { usernameKey, emailKey }: UserPrefix): boolean {
  if (user.usernameKey.startsWith(usernameKey)) return true
  return emailKey !== undefined && user.emailKey?.startsWith(emailKey) === true
}

function comparePositions(a: Pick<User, 'createdAt' | 'id'>, b: typeof a): number {
  return a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : Number(a.id > b.id))
}

async function load(path: string): Promise<User[]> {
  const json = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '[]'
    throw error
  })
  const users: User[] = JSON.parse(json)
  for (const user of users) {
    user.createdAt = new Date(user.createdAt)
    if (user.lastLoginAt !== null) user.lastLoginAt = new Date(user.lastLoginAt)
    if (user.emailChangedAt !== null) user.emailChangedAt = new Date(user.emailChangedAt)
  }
  return users
}

/** A crash leaves the old file or the new one, never a part: the new one is on the disk before it gets the name. */
async function save(path: string, users: User[]): Promise<void> {
  try {
    await writeFile(`${path}.new`, JSON.stringify(users), { mode: 0o600, flush: true })
    await rename(`${path}.new`, path)
    const folder = await open(dirname(path))
    await folder.sync().finally(() => folder.close())
  } catch (error) {
    throw new UnavailableError('the file of users cannot be written', { cause: error })
  }
}
