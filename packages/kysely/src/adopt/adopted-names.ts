import type { ColumnNames } from '../columns/names.js'
import { userColumns } from '../columns/user-row.js'
import type { LiveColumn } from '../inspect/live-tables.js'
import type { Adopted } from './adopted-columns.js'

/** The option that says which columns are ours. One of ours that isn't there gets another name if that is taken. */
export function columnsOf(adopted: Adopted, live: readonly LiveColumn[]): ColumnNames {
  const users = userColumns.flatMap((column): [string, unknown][] => {
    const there = adopted[column]
    if (there === undefined) {
      // A column of that name means something else.
      const isTaken = live.some(({ name }) => name.toLowerCase() === column)
      return isTaken ? [[column, `account_${column}`]] : []
    }
    const { live: found, as } = there
    if (as === undefined) return found.name === column ? [] : [[column, found.name]]
    return [[column, found.name === column ? { as } : { name: found.name, as }]]
  })
  const isUuid = adopted.id?.as === 'uuid'
  return {
    ...(users.length > 0 && { users: Object.fromEntries(users) }),
    ...(isUuid && { identities: { user_id: { as: 'uuid' } } }),
  }
}
