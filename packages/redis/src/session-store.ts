import { assertText, InvalidArgumentError, type Session, type SessionStore } from 'fastify-accounts'
import { createCalls } from './calls.js'
import { changeable, compared, fields, properties, toRow, toSession, toTime } from './session-row.js'
import * as scripts from './session-scripts.js'
import { assertOneSlot, type RedisStoreOptions, resolveStoreOptions } from './store-options.js'

/**
 * Keeps sessions in Redis, which expires them by itself.
 *
 * Every change is one script, so an ended session does not come back, and all sessions of a user end in
 * one step. `find`, the call of every request, is one plain command. Needs Redis 6 or later.
 * @throws TypeError if an option is invalid
 */
export function createRedisSessionStore(
  options: RedisStoreOptions,
): SessionStore & Required<Pick<SessionStore, 'now' | 'close'>> {
  const resolved = resolveStoreOptions('createRedisSessionStore', options, '{accounts}:')
  assertOneSlot('createRedisSessionStore', resolved)
  const { redis, prefix, connectionError } = resolved
  const calls = createCalls(connectionError)
  const sessions = `${prefix}session:`
  const indexes = `${prefix}user:`

  return {
    async create(session) {
      const { id, userId } = session
      assertText('id', id)
      const row = toRow(properties, session).filter(([, value]) => value !== '')
      const values = [id, toTime(session.expiresAt, 'expiresAt'), ...row.flat()]
      const keys = [sessions + id, indexes + userId]
      const count = Number(await calls.run(() => scripts.create(redis, keys, values)))
      if (count < 0) throw new InvalidArgumentError('id is in use')
      return count
    },

    async find(id) {
      assertText('id', id)
      const row = await calls.run(() => redis.hmget(sessions + id, fields).catch(emptyIfForeign))
      return toSession(id, row as unknown[])
    },

    async touch(id, { lastSeenAt, expiresAt }) {
      assertText('id', id)
      const values = [id, toTime(lastSeenAt, 'lastSeenAt'), toTime(expiresAt, 'expiresAt')]
      return isOne(await calls.run(() => scripts.touch(redis, [sessions + id, indexes], values)))
    },

    async change(id, from, changes) {
      assertText('id', id)
      const { expiresAt } = changes
      const names = changeable.filter((name) => changes[name] !== undefined)
      const values = [
        id,
        ...compared.map((name) => String(from[name])),
        expiresAt === undefined ? '' : toTime(expiresAt, 'expiresAt'),
        ...toRow(names, changes).flat(),
      ]
      return isOne(await calls.run(() => scripts.change(redis, [sessions + id, indexes], values)))
    },

    async delete(id) {
      assertText('id', id)
      return isOne(await calls.run(() => scripts.remove(redis, [sessions + id, indexes], [id])))
    },

    async listByUser(userId) {
      assertText('userId', userId)
      const rows = await calls.run(() => scripts.list(redis, [indexes + userId, sessions], [userId]))
      return (rows as [unknown, unknown[]][])
        .map(([id, row]) => toSession(id, row))
        .filter((session) => session !== null)
        .sort(newestFirst)
    },

    async deleteByUser(userId, exceptId) {
      assertText('userId', userId)
      if (exceptId !== undefined) assertText('exceptId', exceptId)
      const values = [userId, exceptId ?? '']
      return Number(await calls.run(() => scripts.removeOfUser(redis, [indexes + userId, sessions], values)))
    },

    async deleteExpired(now) {
      toTime(now, 'now')
      // Redis has expired them, and each change of a user's sessions drops expired ones from the index.
      return calls.run(async () => 0)
    },

    async now() {
      return new Date(Number(await calls.run(() => scripts.clock(redis, [sessions], []))))
    },

    close: calls.close,
  }
}

function newestFirst(a: Session, b: Session): number {
  return b.createdAt.getTime() - a.createdAt.getTime()
}

/** Clients may be configured to return numbers as strings. */
function isOne(reply: unknown): boolean {
  return Number(reply) === 1
}

/** A key that holds something other than a hash is not a session. */
function emptyIfForeign(error: unknown): [] {
  if (error instanceof Error && error.message.startsWith('WRONGTYPE')) return []
  throw error
}
