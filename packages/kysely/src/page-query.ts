import {
  assertText,
  InvalidArgumentError,
  type UserListQuery,
  type UserPosition,
  type UserPrefix,
} from 'fastify-accounts'
import type { FieldColumn } from './field-columns.js'
import { noName, toColumns } from './user-row.js'
import { searchKeys } from './user-search.js'
import type { PageQuery, PrefixValues } from './user-statements.js'
import { toTime, toWhole } from './values.js'

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
  const { isInvited, isUsed, ...equal } = where
  return {
    by: order?.by === 'usernameKey' ? 'username_key' : 'created_at',
    descending: order?.descending === true,
    equal: toColumns(equal),
    isInvited,
    isUsed,
    prefix: prefix && rangeOf(prefix),
    search: search && searchKeys(search, own),
    after: after && toPlace(after),
    limit,
  }
}

/** @throws InvalidArgumentError */
export function toPlace({ id, createdAt, usernameKey }: UserPosition): NonNullable<PageQuery['after']> {
  assertText('after.id', id)
  if (usernameKey !== null) assertText('after.usernameKey', usernameKey)
  const username_key = usernameKey ?? noName + id
  return { id, created_at: toTime('after.createdAt', createdAt), username_key }
}

/** Keys are compared byte by byte: no Unicode character sorts after the last one. */
function rangeOf({ usernameKey, emailKey }: UserPrefix): PrefixValues {
  if (usernameKey !== undefined) assertText('prefix.usernameKey', usernameKey)
  if (emailKey !== undefined) assertText('prefix.emailKey', emailKey)
  const endOf = (start: string | undefined): string => (start === undefined ? '' : `${start}\u{10ffff}`)
  // Keys of users without a name begin with this one, and are excluded.
  const name = usernameKey?.startsWith(noName) ? undefined : usernameKey
  return { name: name ?? '', nameEnd: endOf(name), email: emailKey ?? '', emailEnd: endOf(emailKey) }
}
