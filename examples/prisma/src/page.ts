import type { UserListQuery } from 'fastify-accounts'
import type { Prisma } from './generated/client.js'

/** One page of users, in the orders and with the filters that the store declares in `listsBy`. */
export function pageOf({ limit, after, prefix, where = {}, order = { by: 'createdAt' } }: UserListQuery) {
  const [sort, beyond] = order.descending ? (['desc', 'lt'] as const) : (['asc', 'gt'] as const)
  const { isUsed, ...same } = where
  const all: Prisma.AccountsUserWhereInput[] = [same]
  const used = { OR: [{ isVerified: true }, { lastLoginAt: { not: null } }] }
  if (isUsed !== undefined) all.push(isUsed ? used : { NOT: used })
  // A prefix has the order of its key.
  const prefixKey = prefix && (prefix.usernameKey === undefined ? 'emailKey' : 'usernameKey')
  const key = prefixKey ?? (order.by === 'usernameKey' && order.by)
  if (prefix !== undefined && prefixKey !== undefined) {
    const start = prefix[prefixKey]
    // A range of keys, which the index finds.
    all.push({ [prefixKey]: { gte: start, lt: `${start}\u{10ffff}` } })
  }
  if (key) all.push({ [key]: after ? { [beyond]: after[key] } : { not: null } })
  else if (after !== undefined) {
    const { id, createdAt } = after
    all.push({ OR: [{ createdAt: { [beyond]: createdAt } }, { createdAt, id: { [beyond]: id } }] })
  }
  const orderBy: Prisma.AccountsUserOrderByWithRelationInput[] = key
    ? [{ [key]: sort }]
    : [{ createdAt: sort }, { id: sort }]
  return { where: { AND: all }, orderBy, take: limit }
}
