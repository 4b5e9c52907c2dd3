import {
  assertText,
  InvalidArgumentError,
  type UserListQuery,
  type UserPosition,
  type UserPrefix,
} from 'fastify-accounts'
import { toTime, toWhole } from '../base/values.js'
import type { FieldColumn } from '../columns/field-columns.js'
import { noName, toColumns } from '../columns/user-row.js'
import { searchKeys } from './user-search.js'
import type { PageQuery } from './user-statements.js'

/**
 * What a list asks of the table.
 * @param own the fields with a column of their own
 * @throws InvalidArgumentError
 */
export function toPageQuery(
  { limit, after, prefix, search, where = {}, order }: UserListQuery,
  own: readonly FieldColumn[],
): PageQuery {
  if (toWhole('limit', limit) === 0) throw new InvalidArgumentError('limit must be at least 1')
  const { isUsed, ...equal } = where
  const range = prefix && rangeOf(prefix)
  return {
    by: range?.by ?? (order?.by === 'usernameKey' ? 'username_key' : 'created_at'),
    descending: range === undefined && order?.descending === true,
    equal: toColumns(equal),
    isUsed,
    prefix: range,
    search: search && searchKeys(search, own),
    after: after && toPlace(after),
    limit,
  }
}

/** @throws InvalidArgumentError */
export function toPlace({
  id,
  createdAt,
  usernameKey,
  emailKey,
}: UserPosition): NonNullable<PageQuery['after']> {
  assertText('after.id', id)
  if (usernameKey !== null) assertText('after.usernameKey', usernameKey)
  const username_key = usernameKey ?? noName + id
  // Only a list by address compares it, and everybody in it has one.
  if (emailKey) assertText('after.emailKey', emailKey)
  return { id, created_at: toTime('after.createdAt', createdAt), username_key, email_key: emailKey ?? '' }
}

/** Keys are compared byte by byte: no Unicode character sorts after the last one. */
function rangeOf({ usernameKey, emailKey }: UserPrefix): NonNullable<PageQuery['prefix']> {
  const [by, start] =
    usernameKey === undefined ? (['email_key', emailKey] as const) : (['username_key', usernameKey] as const)
  assertText('prefix', start)
  // Keys of users without a name begin with this one, and are excluded.
  const isNobodys = by === 'username_key' && start.startsWith(noName)
  return { by, start, end: isNobodys ? start : `${start}\u{10ffff}` }
}
