import { and, asc, type Column, desc, eq, gt, gte, isNotNull, isNull, lt, or, type SQL } from 'drizzle-orm'
import type { UserListQuery } from 'fastify-accounts'
import type { Database } from './database.js'
import { accountsUsers as users } from './tables.js'
import { equals } from './where.js'

type Filter = NonNullable<UserListQuery['where']>

/** One page of users, in the orders and with the filters that the store declares in `listsBy`. */
export function userPage(
  db: Database['db'],
  { limit, after, prefix, where = {}, order = { by: 'createdAt' } }: UserListQuery,
) {
  const { createdAt, id } = users
  const [inOrder, beyond] = order.descending ? ([desc, lt] as const) : ([asc, gt] as const)
  // A prefix has the order of its key.
  const prefixKey = prefix && (prefix.usernameKey === undefined ? 'emailKey' : 'usernameKey')
  const key = prefixKey ?? (order.by === 'usernameKey' && order.by)
  const isBehind =
    after &&
    (key
      ? beyond(users[key], after[key] ?? '')
      : or(beyond(createdAt, after.createdAt), and(eq(createdAt, after.createdAt), beyond(id, after.id))))
  const isMeant = and(
    key ? isNotNull(users[key]) : undefined,
    isBehind,
    prefix && prefixKey && startsWith(users[prefixKey], prefix[prefixKey]),
    matches(where),
  )
  const columns = key ? [users[key]] : [createdAt, id]
  return db
    .select()
    .from(users)
    .where(isMeant)
    .orderBy(...columns.map((column) => inOrder(column)))
    .limit(limit)
}

/** A range of keys, which the index finds. */
function startsWith(column: Column, start: string | undefined): SQL | undefined {
  return start === undefined ? undefined : and(gte(column, start), lt(column, `${start}\u{10ffff}`))
}

function matches({ isUsed, ...same }: Filter): SQL | undefined {
  const used = or(eq(users.isVerified, true), isNotNull(users.lastLoginAt))
  const unused = and(eq(users.isVerified, false), isNull(users.lastLoginAt))
  return and(equals(users, same), isUsed === undefined ? undefined : isUsed ? used : unused)
}
