import { DuplicateError, type ImportOutcome, type StoredUser } from 'fastify-accounts'
import { UnknownHolder } from './calls.js'
import { violatesUnique } from './driver-errors.js'
import { isAny } from './row-count.js'
import type { OutboxRow, UserRow } from './rows.js'
import { toUser } from './user-row.js'
import type { UserKey, UserTable } from './user-table.js'

/** A user to store, or a change of one, ready for the tables. */
export interface UserWrite<Row> {
  row: Row
  identityKeys: readonly string[] | undefined
  messages: readonly OutboxRow[]
}

/** The keys of a user that nobody else may have. */
export interface Keys {
  id?: string | undefined
  usernameKey?: string | null | undefined
  emailKey?: string | null | undefined
  identityKeys?: readonly string[] | undefined
}

type Taken = Extract<ImportOutcome, { taken: string }>

/** A unique index refused a key; it isn't known yet which, and whose it is. */
export class KeyTaken extends Error {}

export type UserWrites<Tx> = ReturnType<typeof userWrites<Tx>>

/** What changes of users do within a transaction, and how they find out whose key was in the way. */
export function userWrites<Tx>(table: UserTable<Tx>) {
  async function unlessRefused<Result>(write: () => Promise<Result>): Promise<Result> {
    try {
      return await write()
    } catch (error) {
      throw violatesUnique(table, error) ? new KeyTaken('a key is taken', { cause: error }) : error
    }
  }

  /** Only by its exact spelling, however the database compares. */
  async function find(by: UserKey, key: string, tx?: Tx): Promise<StoredUser | null> {
    const row = await table.find(by, key, tx)
    if (!row) return null
    const user = toUser(row)
    const isExact = by === 'identityKey' ? user.identityKeys.includes(key) : user[by] === key
    return isExact ? user : null
  }

  async function setIdentities(tx: Tx, id: string, keys: readonly string[]): Promise<void> {
    await unlessRefused(() => table.replaceIdentities(tx, id, keys))
  }

  async function post(tx: Tx, messages: readonly OutboxRow[]): Promise<void> {
    if (messages.length > 0) await table.outbox?.insert(tx, messages)
  }

  /** The first of these keys that another user has. */
  async function holderOf(keys: Keys, ownId: string | null, tx?: Tx): Promise<Taken | null> {
    const { id = null, usernameKey = null, emailKey = null, identityKeys = [] } = keys
    const wanted: [Taken['taken'], UserKey, string | null][] = [
      ['id', 'id', id],
      ['username', 'usernameKey', usernameKey],
      ['email', 'emailKey', emailKey],
      ...identityKeys.map((key): [Taken['taken'], UserKey, string] => ['identity', 'identityKey', key]),
    ]
    const look = async ([taken, by, key]: (typeof wanted)[number]): Promise<Taken | null> => {
      const holder = key === null ? null : await find(by, key, tx)
      return holder === null || holder.id === ownId ? null : { taken, holder }
    }
    // All at once takes one round trip, which is what a sign-up with a free address spends.
    if (tx === undefined) return (await Promise.all(wanted.map(look))).find((each) => each !== null) ?? null
    for (const each of wanted) {
      const found = await look(each)
      if (found !== null) return found
    }
    return null
  }

  return {
    find,
    holderOf,
    post,

    async insert(tx: Tx, { row, identityKeys = [], messages }: UserWrite<UserRow>): Promise<void> {
      await unlessRefused(() => table.insert(tx, row))
      if (identityKeys.length > 0) await setIdentities(tx, row.id, identityKeys)
      await post(tx, messages)
    },

    /** `null` if there is no user with this id and version; then nothing is changed. */
    async update(
      tx: Tx,
      { id, version }: Pick<UserRow, 'id' | 'version'>,
      { row, identityKeys, messages }: UserWrite<Partial<UserRow>>,
      undo: (result: null) => never,
    ): Promise<StoredUser | null> {
      const changes = { ...row, version: version + 1 }
      if (!isAny(await unlessRefused(() => table.compareAndSwap(tx, { id, version }, changes)))) return null
      if (identityKeys !== undefined) await setIdentities(tx, id, identityKeys)
      await post(tx, messages)
      // If the database took another spelling for this id, nothing may change.
      return (await find('id', id, tx)) ?? undo(null)
    },

    /** Returns whether there was one. */
    async remove(tx: Tx, id: string): Promise<boolean> {
      return (await find('id', id, tx)) !== null && isAny(await table.remove(tx, id))
    },

    /** After a user was removed. */
    async leave(tx: Tx, id: string, messages: readonly OutboxRow[]): Promise<void> {
      await table.replaceIdentities(tx, id, [])
      await post(tx, messages)
    },

    /** @throws DuplicateError if `write` fails because another user has one of the keys */
    async unlessTaken<Result>(keys: Keys, ownId: string, write: () => Promise<Result>): Promise<Result> {
      try {
        return await write()
      } catch (error) {
        if (!(error instanceof KeyTaken)) throw error
        const { cause } = error
        const holder = await holderOf(keys, ownId)
        if (holder === null || holder.taken === 'id') throw new UnknownHolder('nobody has the key', { cause })
        throw new DuplicateError(holder.taken, { cause })
      }
    },
  }
}
