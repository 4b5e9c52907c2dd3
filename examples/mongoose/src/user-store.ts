import { createTableUserStore, type OutboxRow, type UserRow } from '@fastify-accounts/table-stores'
import { type ClientSession, type Connection, Schema } from 'mongoose'
import {
  errors,
  flag,
  options,
  type Transaction,
  text,
  textOrNull,
  time,
  timeOrNull,
  whole,
} from './database.js'

const users = new Schema<UserRow>(
  {
    id: { ...text, unique: true },
    kind: text,
    origin: text,
    username: textOrNull,
    usernameKey: textOrNull,
    email: textOrNull,
    emailKey: textOrNull,
    passwordHash: text,
    isVerified: flag,
    isStaff: flag,
    isActive: flag,
    createdAt: time,
    lastLoginAt: timeOrNull,
    emailChangedAt: timeOrNull,
    sessionEpoch: whole,
    resetEpoch: whole,
    verifyEpoch: whole,
    version: whole,
    roles: text,
    fields: text,
    factors: text,
    credentials: text,
    identityKeys: text,
    notes: text,
  },
  options,
)
// Any number of users can be without one.
for (const key of ['usernameKey', 'emailKey'])
  users.index({ [key]: 1 }, { unique: true, partialFilterExpression: { [key]: { $type: 'string' } } })
users.index({ createdAt: 1, id: 1 })

const identities = new Schema(
  { identityKey: { ...text, unique: true }, userId: { ...text, index: true } },
  options,
)

const messages = new Schema<OutboxRow>(
  {
    id: { ...text, unique: true },
    realm: text,
    message: text,
    postedAt: time,
    dueAt: timeOrNull,
    claim: textOrNull,
    attempts: whole,
    error: textOrNull,
  },
  options,
)
messages.index({ realm: 1, dueAt: 1, id: 1 })

export async function createUserStore(connection: Connection, transaction: Transaction) {
  const User = connection.model<UserRow>('AccountUser', users)
  const Identity = connection.model('AccountIdentity', identities)
  const Message = connection.model<OutboxRow>('AccountMessage', messages)
  // A transaction can't wait for indexes to be made.
  await Promise.all([User.init(), Identity.init(), Message.init()])

  return createTableUserStore<ClientSession>({
    transaction,
    ...errors,
    async find(by, key, session) {
      const within = { session: session ?? null }
      if (by !== 'identityKey') return User.findOne({ [by]: key }, null, within).lean()
      const identity = await Identity.findOne({ identityKey: key }, null, within).lean()
      return identity && User.findOne({ id: identity.userId }, null, within).lean()
    },
    insert: (session, row) => User.create([row], { session }),
    compareAndSwap: async (session, expected, changes) =>
      (await User.updateOne(expected, changes, { session })).matchedCount,
    async replaceIdentities(session, userId, keys) {
      await Identity.deleteMany({ userId }, { session })
      await Identity.insertMany(
        keys.map((identityKey) => ({ identityKey, userId })),
        { session },
      )
    },
    remove: async (session, id) => (await User.deleteOne({ id }, { session })).deletedCount,
    listsBy: ['createdAt'],
    page({ limit, after, where: { kind, isUsed } = {}, order }) {
      const [direction, beyond] = order?.descending ? ([-1, '$lt'] as const) : ([1, '$gt'] as const)
      const used = [{ isVerified: true }, { lastLoginAt: { $ne: null } }]
      const behind = after && [
        { createdAt: { [beyond]: after.createdAt } },
        { createdAt: after.createdAt, id: { [beyond]: after.id } },
      ]
      const isMeant = [
        kind === undefined ? {} : { kind },
        isUsed === undefined ? {} : isUsed ? { $or: used } : { $nor: used },
        behind ? { $or: behind } : {},
      ]
      return User.find({ $and: isMeant }).sort({ createdAt: direction, id: direction }).limit(limit).lean()
    },
    outbox: {
      insert: (session, rows) => Message.insertMany(rows, { session }),
      find: (id) => Message.findOne({ id }).lean(),
      due: ({ realm, by, limit }) =>
        Message.find({ ...(realm !== undefined && { realm }), dueAt: { $ne: null, $lte: by } })
          .sort({ dueAt: 1, id: 1 })
          .limit(limit)
          .lean(),
      dead: ({ after = '', limit }) =>
        Message.find({ dueAt: null, id: { $gt: after } })
          .sort({ id: 1 })
          .limit(limit)
          .lean(),
      count: ({ realm, isDead }) =>
        Message.countDocuments({
          ...(realm !== undefined && { realm }),
          dueAt: isDead ? null : { $ne: null },
        }),
      compareAndSwap: async (session, expected, changes) =>
        (await Message.updateOne(expected, changes, { session })).matchedCount,
      remove: async (session, expected) => (await Message.deleteOne(expected, { session })).deletedCount,
    },
  })
}
