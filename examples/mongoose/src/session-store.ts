import { createTableSessionStore, type SessionRow } from '@fastify-accounts/table-stores'
import type { UserStore } from 'fastify-accounts'
import { type ClientSession, type Connection, Schema } from 'mongoose'
import { errors, options, type Transaction, text, textOrNull, time, timeOrNull, whole } from './database.js'

const sessions = new Schema<SessionRow>(
  {
    id: { ...text, unique: true },
    kind: text,
    name: textOrNull,
    userId: { ...text, index: true },
    epoch: whole,
    createdAt: time,
    lastSeenAt: time,
    expiresAt: { ...time, index: true },
    details: textOrNull,
    methods: text,
    confirmedAt: timeOrNull,
    priorConfirmedAt: timeOrNull,
    confirmation: whole,
    generation: whole,
    seenGeneration: whole,
    baseGeneration: whole,
    nextBase: { type: Number, default: null },
    settlesAt: timeOrNull,
  },
  options,
)

export async function createSessionStore(
  connection: Connection,
  transaction: Transaction,
  userStore: UserStore,
) {
  const Row = connection.model<SessionRow>('AccountSession', sessions)
  await Row.init()

  return createTableSessionStore<ClientSession>({
    transaction,
    userStore,
    ...errors,
    insert: (session, row) => Row.create([row], { session }),
    find: (id, session) => Row.findOne({ id }, null, { session: session ?? null }).lean(),
    compareAndSwap: async (session, expected, changes) =>
      (await Row.updateOne(expected, changes, { session })).matchedCount,
    remove: async (session, id) => (await Row.deleteOne({ id }, { session })).deletedCount,
    listByUser: (userId) => Row.find({ userId }).lean(),
    removeByUser: async (session, userId, keptId) =>
      (await Row.deleteMany({ userId, id: { $ne: keptId } }, { session })).deletedCount,
    async removeExpired(session, before, limit) {
      const some = await Row.find({ expiresAt: { $lt: before } }, { id: 1 }, { session })
        .limit(limit)
        .lean()
      return (await Row.deleteMany({ id: { $in: some.map(({ id }) => id) } }, { session })).deletedCount
    },
  })
}
