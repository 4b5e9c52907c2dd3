import type { Engine } from '../base/engine.js'
import type { UsersTable } from '../base/schema.js'
import type { ColumnForm } from '../columns/column-forms.js'
import { userColumns } from '../columns/user-row.js'
import type { LiveColumn } from '../inspect/live-tables.js'
import { fits } from '../inspect/live-types.js'

type Known = keyof UsersTable

/** What other systems call these columns, in lower case without underscores. */
const names: Partial<Record<Known, readonly string[]>> = {
  username: ['login', 'loginname'],
  email: ['emailaddress', 'mail'],
  password_hash: ['password', 'hashedpassword', 'encryptedpassword', 'passwd', 'passworddigest'],
  is_verified: ['verified', 'emailverified', 'isemailverified', 'emailconfirmed'],
  is_active: ['active', 'enabled', 'isenabled'],
  is_staff: ['staff'],
  created_at: ['created', 'createdon', 'datejoined', 'insertedat'],
  last_login_at: ['lastlogin', 'lastsigninat', 'currentsigninat'],
  origin: ['accountorigin'],
}

/** Columns that say that a user is not active. */
const opposites = [
  'blocked',
  'isblocked',
  'disabled',
  'isdisabled',
  'banned',
  'isbanned',
  'suspended',
  'deactivated',
]

/** A column of the table that is one of ours. */
export interface AdoptedColumn {
  live: LiveColumn
  as: ColumnForm | undefined
}

/** Those of a table, by our names. */
export type Adopted = Partial<Record<Known, AdoptedColumn>>

/** A name as it is compared with those that other systems use. */
const plain = (name: string): string => name.toLowerCase().replaceAll('_', '')

/**
 * Which columns of a table are ours: those with our names or usual ones, and types that can be ours.
 * @param choices the names of some, from our names for them
 * @throws TypeError of one line if a given one doesn't exist, or ours doesn't
 */
export function adoptedColumns(
  live: readonly LiveColumn[],
  engine: Engine,
  choices: Partial<Record<string, string>>,
): Adopted {
  const found: Adopted = {}
  const find = (field: Known, wanted: readonly string[], isOpposite = false) => {
    const column = live.find(
      (each) =>
        wanted.includes(plain(each.name)) &&
        formOf(engine, field, each.type, isOpposite) !== null &&
        (field !== 'origin' || isOurOrigin(each)),
    )
    if (column === undefined || found[field] !== undefined) return
    found[field] = { live: column, as: formOf(engine, field, column.type, isOpposite) ?? undefined }
  }
  for (const [field, name] of Object.entries(choices)) {
    if (!isKnown(field)) throw new TypeError(`users have no column ${field} that ${name} could be`)
    const column = live.find((each) => each.name === name)
    if (column === undefined) throw new TypeError(`the table has no column ${name} for ${field}`)
    const isOpposite = opposites.includes(plain(column.name))
    const as = formOf(engine, field, column.type, field === 'is_active' && isOpposite)
    found[field] = { live: column, as: as ?? undefined }
  }
  for (const field of userColumns) find(field, [plain(field), ...(names[field] ?? [])])
  find('is_active', opposites, true)
  return found
}

/** Apps keep where people came from in a column of that name. Ours always has a value, and a default. */
const isOurOrigin = ({ isNullable, isOptional }: LiveColumn): boolean => !isNullable && isOptional

function isKnown(name: string): name is Known {
  return userColumns.some((field) => field === name)
}

/** Columns that may lock users out, and that none of ours is read from: texts, times, and a second one beside `is_active`. */
export function unreadLocks(live: readonly LiveColumn[], adopted: Adopted): string[] {
  const isRead = (name: string) => Object.values(adopted).some((column) => column.live.name === name)
  return live.flatMap(({ name }) => (isLock.test(plain(name)) && !isRead(name) ? [name] : []))
}

const isLock =
  /^(?:is)?(?:active|enabled|status|state|(?:blocked|disabled|banned|suspended|deactivated|deleted|locked|archived)(?:at|on|until)?)$/

const flags = new Set<Known>(['is_verified', 'is_staff', 'is_active'])
const times = new Set<Known>(['created_at', 'last_login_at', 'email_changed_at'])
const anyText = /char|text|clob|enum|binary|blob/
const anyTime: Record<Engine, RegExp> = {
  postgres: /^timestamp/,
  mysql: /^(?:datetime|timestamp)/,
  sqlite: /char|text|clob|date|time/,
}

/** How a column of this type can be ours; `undefined`: as it is; `null`: not at all, so ours gets another name. */
function formOf(
  engine: Engine,
  field: Known,
  type: string,
  isOpposite: boolean,
): ColumnForm | null | undefined {
  const { flag, boolean, whole } = fits[engine]
  if (flags.has(field)) {
    if (isOpposite) return flag(type) || boolean(type) ? 'not boolean' : null
    if (flag(type)) return undefined
    return boolean(type) ? 'boolean' : null
  }
  if (times.has(field)) {
    if (anyTime[engine].test(type)) return 'timestamptz'
    return whole(type) ? undefined : null
  }
  if (field === 'id') {
    if (type === 'uuid') return 'uuid'
    // Our own need no more; of others, the rows tell whether they are UUIDs.
    return engine === 'mysql' && /^(?:var)?char/.test(type) ? 'uuid' : undefined
  }
  if (/_epoch$|^version$/.test(field)) return whole(type) ? undefined : null
  return anyText.test(type) || fits[engine].key(type) ? undefined : null
}
