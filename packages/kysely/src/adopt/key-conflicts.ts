import type { Kysely } from 'kysely'
import type { Tables } from '../base/schema.js'
import { conflictsIn, type KeyedTable, type KeyFault } from './row-keys.js'

/** The users who get no keys. */
export interface Keyless {
  /** How many, by cause. */
  counts: Partial<Record<KeyFault, number>>
  total: number
  /** What has to be corrected, one line each. Users are named by id. */
  lines: string[]
}

/** @param table without a column of ids, nothing is read */
export async function describeConflicts(
  db: Kysely<Tables>,
  { id, ...columns }: Omit<KeyedTable, 'id'> & { id: string | undefined },
): Promise<Keyless> {
  if (id === undefined) return { counts: {}, total: 0, lines: [] }
  const table = { id, ...columns }
  const { names, addresses, faults, outdated } = await conflictsIn(db, table)
  const shared = (held: ReadonlyMap<string, string[]>, what: string) => {
    const groups = [...held.values()].filter((ids) => ids.length > 1)
    return groups.length === 0
      ? []
      : [
          `${groups.flat().length} users have the same ${what} as another but for case and Unicode form (${list(
            groups.map((ids) => list(ids)),
            '; ',
          )}): change all but one of each`,
        ]
  }
  const some = (ids: readonly string[] | undefined, text: (users: string) => string) =>
    ids === undefined || ids.length === 0
      ? []
      : [text(`${ids.length} ${ids.length === 1 ? 'user' : 'users'} (${list(ids)})`)]
  return {
    counts: Object.fromEntries([...faults].map(([fault, ids]) => [fault, ids.length])),
    total: new Set([...faults.values()].flat()).size,
    lines: [
      ...shared(names, 'username'),
      ...shared(addresses, 'email address'),
      ...some(faults.get('no address'), (users) => `invalid addresses of ${users}: correct or clear them`),
      ...some(
        faults.get('other form'),
        (users) =>
          `the addresses of ${users} have white space around them or another Unicode form, and no email can be sent to them: correct them`,
      ),
      ...some(
        outdated,
        (users) => `email_key of ${users} is of another address than theirs: set it to NULL, and fill again`,
      ),
    ],
  }
}

function list(texts: readonly string[], separator = ', '): string {
  return `${texts.slice(0, 10).join(separator)}${texts.length > 10 ? `${separator}…` : ''}`
}
