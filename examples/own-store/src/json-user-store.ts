import { open, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import {
  assertText,
  DuplicateError,
  type NewUser,
  UnavailableError,
  type User,
  type UserPosition,
  type UserStore,
} from 'fastify-accounts'
import { v7 as uuidv7 } from 'uuid'

/**
 * A user store in one JSON file, for one process and some thousand users: each write writes the whole file.
 *
 * @param path the file; it is made at the first write
 * @throws SyntaxError where the file is not JSON, and what reading a file throws
 */
export async function openJsonUserStore(path: string): Promise<UserStore> {
  let users = await load(path)
  let lastWrite: Promise<unknown> = Promise.resolve()
  let closed = false

  function assertOpen(): void {
    if (closed) throw new UnavailableError('the store is closed')
  }

  // One change after the other: between the check of the keys and the rename nobody else writes.
  async function change<Result>(job: (draft: User[]) => Result): Promise<Result> {
    assertOpen()
    const write = lastWrite.then(async () => {
      const draft = users.slice()
      const result = job(draft)
      if (result) await save(path, draft)
      users = draft
      return structuredClone(result)
    })
    lastWrite = write.catch(() => undefined)
    return write
  }

  async function findBy(key: 'id' | 'usernameKey' | 'emailKey', value: string): Promise<User | null> {
    assertOpen()
    assertText(key, value)
    return structuredClone(users.find((user) => user[key] === value) ?? null)
  }

  return {
    async create(given) {
      const copy = structuredClone(given)
      assertKeys(copy)
      return change((draft) => {
        assertFree(draft, copy)
        const user: User = { ...copy, id: uuidv7(), version: 1 }
        draft.push(user)
        return user
      })
    },

    findById: (id) => findBy('id', id),
    findByUsername: (usernameKey) => findBy('usernameKey', usernameKey),
    findByEmail: (emailKey) => findBy('emailKey', emailKey),

    async list({ limit, after }) {
      assertOpen()
      const rest = users.filter((user) => after === undefined || comparePositions(user, after) > 0)
      return structuredClone(rest.sort(comparePositions).slice(0, limit))
    },

    async update(id, changes, expectedVersion) {
      assertText('id', id)
      const set = Object.entries(structuredClone(changes)).filter(([, value]) => value !== undefined)
      return change((draft) => {
        const old = draft.find((user) => user.id === id)
        if (old?.version !== expectedVersion) return null
        const user: User = { ...old, ...Object.fromEntries(set), version: old.version + 1 }
        assertKeys(user)
        assertFree(draft, user, id)
        draft[draft.indexOf(old)] = user
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

    async close() {
      closed = true
      await lastWrite
    },
  }
}

function assertKeys({ usernameKey, emailKey }: NewUser): void {
  assertText('usernameKey', usernameKey)
  if (emailKey !== null) assertText('emailKey', emailKey)
}

function assertFree(users: User[], { usernameKey, emailKey }: NewUser, ownId?: string): void {
  const others = users.filter((user) => user.id !== ownId)
  if (others.some((user) => user.usernameKey === usernameKey)) throw new DuplicateError('username')
  if (emailKey !== null && others.some((user) => user.emailKey === emailKey))
    throw new DuplicateError('email')
}

function comparePositions(a: UserPosition, b: UserPosition): number {
  const byId = a.id < b.id ? -1 : Number(a.id > b.id)
  return a.createdAt.getTime() - b.createdAt.getTime() || byId
}

async function load(path: string): Promise<User[]> {
  const json = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '[]'
    throw error
  })
  const users: User[] = JSON.parse(json)
  return users.map((user) => ({
    ...user,
    createdAt: new Date(user.createdAt),
    lastLoginAt: user.lastLoginAt && new Date(user.lastLoginAt),
  }))
}

/** After a crash there is the old file or the new one, never a part: the new one is on the disk before it is named. */
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
