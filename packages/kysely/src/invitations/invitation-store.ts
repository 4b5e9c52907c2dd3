import {
  assertText,
  InvalidArgumentError,
  type InvitationStore,
  type PendingMessage,
  type UserStore,
} from 'fastify-accounts'
import type { Kysely } from 'kysely'
import { engineOf } from '../base/engine.js'
import { failureOf } from '../base/errors.js'
import { readClock } from '../base/read-clock.js'
import type { Tables } from '../base/schema.js'
import { toTime } from '../base/values.js'
import { toInvitation, toInvitationColumns, toInvitationRow } from '../columns/invitation-row.js'
import { resolveNames } from '../columns/names.js'
import { toOutboxRow } from '../columns/outbox-row.js'
import { withColumns } from '../columns/renamed-columns.js'
import { tablesOf } from '../inspect/describe-tables.js'
import { inspectTables } from '../inspect/inspect-tables.js'
import { createCalls, type Write } from '../run/calls.js'
import { inPortions } from '../run/in-portions.js'
import { checkStoreOptions, freeOf, type StoreOptions } from '../run/store-options.js'
import { requireOrigin } from '../run/user-origin.js'
import { type InvitationPage, invitationStatements } from './invitation-statements.js'

/** Options of `createKyselyInvitationStore`. */
export interface InvitationStoreOptions extends StoreOptions {
  /**
   * The user store that `createKyselyUserStore` made on the same `db` and that you pass to the plugin. An invitation and its
   * email are then stored in one transaction.
   */
  userStore?: UserStore | undefined
}

/**
 * Keeps invitations in an SQL table, created by `migrate`.
 *
 * It has no foreign key to the users: they may be stored elsewhere, and the plugin reads who invited at acceptance.
 * @throws TypeError if an option is wrong
 */
export function createKyselyInvitationStore(options: InvitationStoreOptions): InvitationStore {
  const { db, userStore } = options
  checkStoreOptions(options, 'userStore')
  const names = resolveNames(options, engineOf(db))
  const origin = userStore && requireOrigin(userStore, db)
  const sql = invitationStatements(db, names)
  const calls = createCalls(db, freeOf(options))

  /** Makes the change, and stores the messages in the same transaction unless it has no effect. */
  async function writing<T>(
    write: Write,
    messages: readonly PendingMessage[],
    change: (on?: Kysely<Tables>) => Promise<T>,
  ): Promise<T> {
    if (messages.length > 0 && !origin) throw new InvalidArgumentError('messages need a userStore')
    const rows = messages.map(toOutboxRow)
    return write(async (transaction) => {
      const written = await change(transaction && withColumns(transaction, names.columns.invitations))
      if (written !== undefined && written !== false && transaction && rows.length > 0)
        await origin?.insertMessages(rows, transaction)
      return written
    }, rows.length > 0)
  }

  return {
    async create(invitation, messages = []) {
      const row = toInvitationRow(invitation)
      return calls.run(async (write) => {
        try {
          await writing(write, messages, (on) => sql.insert(row, on))
          return true
        } catch (error) {
          if (failureOf(error) !== 'duplicate') throw error
          if ((await sql.byId({ id: row.id })).rows.length > 0)
            throw new InvalidArgumentError('id is in use', { cause: error })
          const others = await sql.byEmail({ email_key: row.email_key })
          const isThere = others.rows
            .map(toInvitation)
            .some(({ target, inviterId }) => target === row.target && (inviterId ?? '') === row.inviter_id)
          if (isThere) return false
          throw error // it is gone: the next attempt may succeed
        }
      })
    },

    async find(id) {
      assertText('id', id)
      const [row] = (await calls.run(() => sql.byId({ id }))).rows
      return row ? toInvitation(row) : null
    },

    async listByEmail(emailKey) {
      assertText('emailKey', emailKey)
      return (await calls.run(() => sql.byEmail({ email_key: emailKey }))).rows.map(toInvitation)
    },

    async list({ target, inviterId, limit, after }) {
      if (target !== undefined) assertText('target', target)
      if (inviterId !== undefined && inviterId !== null) assertText('inviterId', inviterId)
      if (after) assertText('after.id', after.id)
      const page: InvitationPage = {
        ...(target !== undefined && { target }),
        ...(inviterId !== undefined && { inviter_id: inviterId ?? '' }),
        ...(after && { after: { created_at: toTime('after.createdAt', after.createdAt), id: after.id } }),
        limit,
      }
      return (await calls.run(() => sql.page(page))).rows.map(toInvitation)
    },

    async update(id, changes, expectedVersion, messages = []) {
      assertText('id', id)
      const columns = toInvitationColumns(changes)
      return calls.run(async (write) => {
        if (!Number.isSafeInteger(expectedVersion)) return null // no invitation has such a version
        const row = await writing(write, messages, (on) => sql.update(id, columns, expectedVersion, on))
        return row ? toInvitation(row) : null
      })
    },

    async delete(id, expectedVersion, messages = []) {
      assertText('id', id)
      return calls.run(async (write) => {
        if (expectedVersion === undefined) return writing(write, messages, (on) => sql.remove({ id }, on))
        if (!Number.isSafeInteger(expectedVersion)) return false
        return writing(write, messages, (on) => sql.removeAt({ id, expected: expectedVersion }, on))
      })
    },

    async deleteExpired(now) {
      const end = toTime('now', now)
      return inPortions(calls, () => sql.removeExpired(end))
    },

    ...(userStore?.outbox && { outbox: userStore.outbox }),

    now: () => calls.run(() => readClock(db)),

    inspect: () => calls.run(() => inspectTables(db, names, ['invitations'])),

    tables: () => tablesOf(names, ['invitations']),

    close: calls.close,
  }
}
