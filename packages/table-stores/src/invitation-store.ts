import {
  assertText,
  closable,
  InvalidArgumentError,
  type Invitation,
  type InvitationStore,
  type PendingMessage,
} from 'fastify-accounts'
import { createRun, LostRace, UnknownHolder } from './calls.js'
import { checkTable } from './check-table.js'
import { violatesUnique } from './driver-errors.js'
import { toInvitation, toInvitationColumns, toInvitationRow } from './invitation-row.js'
import type { InvitationTable } from './invitation-table.js'
import { removeInPortions } from './remove-in-portions.js'
import { isAny } from './row-count.js'
import { originOf } from './user-origin.js'
import { KeyTaken } from './user-writes.js'
import { time, whole } from './values.js'

/**
 * An invitation store on a table that `table` says how to query.
 *
 * The methods throw what the seam says; `UnavailableError` has the error of a function of yours as its `cause`.
 * @throws TypeError if a function is missing, or `userStore` has another `transaction`
 */
export function createTableInvitationStore<Tx>(table: InvitationTable<Tx>): InvitationStore {
  checkTable(table, 'createTableInvitationStore', functions)
  const run = createRun(table)
  const { userStore } = table
  const origin = userStore && originOf(userStore, table.transaction)
  const now = table.now?.bind(table) ?? userStore?.now

  /** Only by its exact spelling, however the database compares. */
  async function find(id: string, tx?: Tx): Promise<Invitation | null> {
    const row = await table.find(id, tx)
    const invitation = row ? toInvitation(row) : null
    return invitation?.id === id ? invitation : null
  }

  async function listByEmail(emailKey: string): Promise<Invitation[]> {
    const invitations = (await table.listByEmail(emailKey)).map(toInvitation)
    return invitations
      .filter((invitation) => invitation.emailKey === emailKey)
      .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
  }

  /** Checks the messages at once. */
  function poster(messages: readonly PendingMessage[]) {
    if (messages.length === 0) return async () => async (_: Tx) => {}
    if (!origin) throw new InvalidArgumentError('messages need a userStore')
    return origin.poster(messages)
  }

  const store = closable<InvitationStore>(
    {
      async create(invitation, messages = []) {
        const row = toInvitationRow(invitation)
        const prepare = poster(messages)
        return run(async (write) => {
          const post = await prepare()
          try {
            await write(async (tx) => {
              await table.insert(tx, row).catch((error: unknown) => {
                throw violatesUnique(table, error) ? new KeyTaken('a key is taken', { cause: error }) : error
              })
              await post(tx)
            })
            return true
          } catch (error) {
            if (!(error instanceof KeyTaken)) throw error
            if (await find(row.id)) throw new InvalidArgumentError('id is in use', { cause: error.cause })
            const { target, inviterId, emailKey } = invitation
            const others = await listByEmail(emailKey)
            if (others.some((other) => other.target === target && other.inviterId === inviterId)) return false
            throw new UnknownHolder('nobody has the key', { cause: error.cause })
          }
        })
      },

      async find(id) {
        assertText('id', id)
        return run(() => find(id))
      },

      async listByEmail(emailKey) {
        assertText('emailKey', emailKey)
        return run(() => listByEmail(emailKey))
      },

      async list({ target, inviterId, limit, after }) {
        if (target !== undefined) assertText('target', target)
        if (inviterId !== undefined && inviterId !== null) assertText('inviterId', inviterId)
        if (after) assertText('after.id', after.id)
        const page = {
          target,
          inviterId: inviterId === null ? '' : inviterId,
          limit: whole.write('limit', limit),
          after: after && { createdAt: time.write('after.createdAt', after.createdAt), id: after.id },
        }
        return run(async () => (await table.page(page)).map(toInvitation))
      },

      async update(id, changes, expectedVersion, messages = []) {
        assertText('id', id)
        const columns = toInvitationColumns(changes)
        const prepare = poster(messages)
        return run(async (write) => {
          if (!Number.isSafeInteger(expectedVersion)) return null // no invitation has such a version
          const post = await prepare()
          return write<Invitation | null>(async (tx, undo) => {
            const [expected, version] = [{ id, version: expectedVersion }, expectedVersion + 1]
            if (!isAny(await table.compareAndSwap(tx, expected, { ...columns, version }))) return null
            await post(tx)
            // If the database took another spelling for this id, nothing may change.
            return (await find(id, tx)) ?? undo(null)
          })
        })
      },

      async delete(id, expectedVersion, messages = []) {
        assertText('id', id)
        const prepare = poster(messages)
        return run(async (write) => {
          const found = await find(id)
          if (found === null || found.version !== (expectedVersion ?? found.version)) return false
          const { version } = found
          const post = await prepare()
          const isDeleted = await write(async (tx) => {
            if (!isAny(await table.remove(tx, { id, version }))) return false
            await post(tx)
            return true
          })
          if (isDeleted) return true
          throw new LostRace('the invitation was changed')
        })
      },

      async deleteExpired(now) {
        const before = time.write('now', now)
        return run((write) => removeInPortions(write, (tx, most) => table.removeExpired(tx, before, most)))
      },

      ...(now && { now: () => run(() => now()) }),
    },
    () => table.close?.(),
  )
  // The very one, which `closable` would wrap.
  const outbox = userStore?.outbox
  return outbox ? Object.assign(store, { outbox }) : store
}

const functions = {
  required: [
    'transaction',
    'insert',
    'find',
    'listByEmail',
    'page',
    'compareAndSwap',
    'remove',
    'removeExpired',
  ],
  optional: ['isUniqueViolation', 'isRetryable', 'now', 'close'],
}
