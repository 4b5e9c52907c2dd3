import {
  assertText,
  closable,
  type NewUser,
  type PendingMessage,
  type StoredUser,
  type UserListQuery,
  type UserStore,
} from 'fastify-accounts'
import { v7 as uuidv7 } from 'uuid'
import { createAlongside } from './alongside.js'
import { createRun, type Write } from './calls.js'
import { checkTable } from './check-table.js'
import { userCreation } from './create-user.js'
import { importUsers } from './imports.js'
import { createOutbox } from './outbox.js'
import { toOutboxRow } from './outbox-row.js'
import { isAny } from './row-count.js'
import { setOrigin, type UserChange, type UserDeletion } from './user-origin.js'
import { toUser, toUserColumns, toUserRow } from './user-row.js'
import type { UserKey, UserTable } from './user-table.js'
import { type UserWrite, userWrites } from './user-writes.js'

/**
 * A user store on tables that `table` says how to query. Ids are UUIDs of version 7.
 *
 * The methods throw what the seam says; `UnavailableError` has the error of a function of yours as its `cause`.
 * @throws TypeError if a function is missing
 */
export function createTableUserStore<Tx>(table: UserTable<Tx>): UserStore {
  checkTable(table, 'createTableUserStore', functions)
  if (table.outbox) checkTable(table.outbox, 'createTableUserStore, outbox', outboxFunctions)
  const run = createRun(table)
  const writes = userWrites(table)
  const alongside = createAlongside(table, writes)
  const create = userCreation(table, writes, alongside)
  const { deleted } = alongside
  const clock = async (): Promise<Date> => (table.now ? table.now() : new Date())

  /** Checks the messages at once; they are posted when the result is called. */
  function poster(messages: readonly PendingMessage[]) {
    const rows = table.outbox ? messages.map(toOutboxRow) : []
    return async () => {
      if (rows.length === 0) return []
      const at = await clock()
      return rows.map((row) => row(at))
    }
  }

  function toWrite(id: string, user: NewUser): Omit<UserWrite<ReturnType<typeof toUserRow>>, 'messages'> {
    return { row: toUserRow(id, user), identityKeys: [...user.identityKeys] }
  }

  async function update(
    write: Write<Tx>,
    { id, changes, expectedVersion: version, messages, deadline }: UserChange,
    besides: (tx: Tx) => Promise<void> = async () => undefined,
  ): Promise<StoredUser | null> {
    assertText('id', id)
    const row = toUserColumns(changes)
    const identityKeys = changes.identityKeys && [...changes.identityKeys]
    const post = poster(messages)
    if (!Number.isSafeInteger(version)) return null // no user has such a version
    const verified = alongside.verified?.(changes, deadline)
    return writes.unlessTaken(changes, id, async () => {
      const change = { row, identityKeys, messages: await post() }
      return write<StoredUser | null>(async (tx, undo) => {
        const before = verified === undefined ? null : await writes.find('id', id, tx)
        const user = await writes.update(tx, { id, version }, change, undo)
        if (user === null) return null
        await besides(tx)
        if (before !== null) await verified?.(tx, before, user)
        return user
      })
    })
  }

  /** Locks the row, if it has the version. */
  const holdAt = async (tx: Tx, id: string, version: number): Promise<boolean> =>
    isAny(await table.compareAndSwap(tx, { id, version }, { version: version + 1 }))

  function deleter({ id, messages, successor, expectedVersion }: UserDeletion) {
    assertText('id', id)
    const post = poster(messages)
    return async (deadline: number) => {
      const rows = await post()
      return async (tx: Tx) => {
        if (expectedVersion !== undefined && !(await holdAt(tx, id, expectedVersion))) return false
        if (deleted && !(await deleted(tx, id, successor, deadline))) return false
        // The app may have deleted the row itself.
        if (!(await writes.remove(tx, id)) && !deleted) return false
        await writes.leave(tx, id, rows)
        return true
      }
    }
  }

  const finder = (by: UserKey) => async (key: string) => {
    assertText(by, key)
    return run(() => writes.find(by, key))
  }

  const store = closable<UserStore>(
    {
      async create(user, messages = [], wanted) {
        const insertion = toWrite(uuidv7(), user)
        const { id } = insertion.row
        const post = poster(messages.map((message) => ({ ...message, userId: id })))
        return run((write, deadline) =>
          writes.unlessTaken(user, id, async () => {
            await create(write, deadline, { ...insertion, messages: await post() }, wanted)
            return toUser(insertion.row)
          }),
        )
      },

      findById: finder('id'),
      findByUsername: finder('usernameKey'),
      findByEmail: finder('emailKey'),
      findByIdentity: finder('identityKey'),

      async createMany(users) {
        const insertions = users.map(({ id = uuidv7(), ...user }) => ({ ...toWrite(id, user), messages: [] }))
        const { created } = alongside
        return run((write, deadline) =>
          importUsers(writes, write, insertions, async (tx, row) => created?.(tx, toUser(row), deadline)),
        )
      },

      ...(table.page && {
        list: async (query: UserListQuery) =>
          run(async () => ((await table.page?.(query)) ?? []).map(toUser)),
        listsBy: table.listsBy ?? [],
      }),

      update: async (id, changes, expectedVersion, messages = []) =>
        run((write, deadline) => update(write, { id, changes, expectedVersion, messages, deadline })),

      async delete(id, messages = [], successor, expectedVersion) {
        const prepare = deleter({ id, messages, successor, expectedVersion })
        return run(async (write, deadline) => write(await prepare(deadline)))
      },

      ...(alongside.created && { runsCreated: true }),
      ...(table.now && { now: () => run(clock) }),
      ...(table.outbox && { outbox: createOutbox(table.outbox, run, clock) }),
    },
    () => table.close?.(),
  )
  setOrigin<Tx>(store, {
    transaction: table.transaction,
    findRow: (id) => table.find('id', id),
    update,
    deleter,
    poster(messages) {
      const post = poster(messages)
      return async () => {
        const rows = await post()
        return (tx) => writes.post(tx, rows)
      }
    },
  })
  return store
}

const functions = {
  required: ['transaction', 'find', 'insert', 'compareAndSwap', 'replaceIdentities', 'remove'],
  optional: ['isUniqueViolation', 'isRetryable', 'page', 'now', 'close'],
}
const outboxFunctions = {
  required: ['insert', 'find', 'due', 'dead', 'count', 'compareAndSwap', 'remove'],
}
