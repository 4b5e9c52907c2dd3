import type { UsersTable } from '../base/schema.js'
import { userColumns } from '../columns/user-row.js'
import type { LiveColumn } from '../inspect/live-tables.js'

/** What somebody says of a column of ours: which of the table's it is, or that it is a new one. */
export type Choice = 'new' | { live: LiveColumn; isOpposite: boolean }

const flags: readonly string[] = ['is_verified', 'is_staff', 'is_active'] satisfies (keyof UsersTable)[]

/**
 * Reads `{ username: 'login', is_active: 'not:locked', email: 'none' }`.
 * @throws TypeError of one line if a column of theirs or ours doesn't exist
 */
export function columnChoices(
  live: readonly LiveColumn[],
  texts: Partial<Record<string, string>>,
): ReadonlyMap<keyof UsersTable, Choice> {
  const choices = new Map<keyof UsersTable, Choice>()
  for (const [name, text = ''] of Object.entries(texts)) {
    const field = userColumns.find((each) => each === name)
    if (field === undefined) throw new TypeError(`users have no column ${name} that ${text} could be`)
    const isOpposite = text.startsWith('not:')
    if (isOpposite && !flags.includes(field))
      throw new TypeError(`not: is for ${flags.join(', ')}, got ${field}=${text}`)
    const theirs = isOpposite ? text.slice('not:'.length) : text
    const column = live.find((each) => each.name === theirs)
    if (column === undefined && theirs !== 'none')
      throw new TypeError(`the table has no column ${theirs} for ${field}`)
    choices.set(field, column === undefined ? 'new' : { live: column, isOpposite })
  }
  return choices
}
