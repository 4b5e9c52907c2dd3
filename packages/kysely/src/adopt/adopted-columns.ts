import type { Engine } from '../base/engine.js'
import type { UsersTable } from '../base/schema.js'
import type { ColumnForm } from '../columns/column-forms.js'
import { userColumns } from '../columns/user-row.js'
import type { LiveColumn } from '../inspect/live-tables.js'
import type { Choice } from './column-choices.js'
import { flags, formOf, isTime } from './fitting-forms.js'
import type { Held } from './sampled-columns.js'
import { lockQuestion, plain, saysOpposite, unreadLocks } from './unread-columns.js'

type Known = keyof UsersTable

/** What other systems call these columns, in lower case without underscores. */
const names: Partial<Record<Known, readonly string[]>> = {
  username: ['login', 'loginname'],
  email: ['emailaddress', 'mail', 'mailaddress', 'useremail', 'primaryemail'],
  password_hash: [
    ...['password', 'passwd', 'pass', 'pwd', 'userpassword', 'userpass', 'passworddigest', 'hash'],
    ...['passhash', 'pwdhash', 'hashedpassword', 'encryptedpassword', 'cryptedpassword'],
  ],
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

/** A time that says since when a flag of ours is set; or isn't, if `isOpposite`. */
export interface DatedFlag {
  column: Known
  name: string
  isOpposite: boolean
}

/** What only somebody who knows the table can decide. */
interface Undecided {
  candidates: readonly string[]
  /** On one line. */
  question: string
}

/** Which columns of a table are ours. */
export interface AdoptedColumns {
  adopted: Adopted
  /** Those that somebody has chosen for flags of ours. */
  dates: DatedFlag[]
  /** Columns of ours that may be one of the table's or not, so they are neither adopted nor added. */
  undecided: Map<Known, Undecided>
}

/**
 * Which columns of a table are ours: those with our names or usual ones, and types that can be ours. If the table has rows,
 * those of addresses and hashes must also hold some, and no other column may.
 * @param choices what somebody has said of some, which comes first
 */
export function adoptedColumns(
  live: readonly LiveColumn[],
  engine: Engine,
  choices: ReadonlyMap<Known, Choice>,
  held: ReadonlyMap<string, Held> | null,
): AdoptedColumns {
  const adopted: Adopted = {}
  const dates: AdoptedColumns['dates'] = []
  const undecided: AdoptedColumns['undecided'] = new Map()
  const isTaken = (name: string) => Object.values(adopted).some((column) => column.live.name === name)
  const candidates = (field: Known, wanted: readonly string[], isOpposite = false) =>
    live.filter(
      (each) =>
        wanted.includes(plain(each.name)) &&
        !isTaken(each.name) &&
        formOf(engine, field, each.type, isOpposite) !== null &&
        (field !== 'origin' || isOurOrigin(each)),
    )
  const adopt = (field: Known, column: LiveColumn | undefined, isOpposite = false) => {
    if (column === undefined || adopted[field] !== undefined) return
    adopted[field] = { live: column, as: formOf(engine, field, column.type, isOpposite) ?? undefined }
  }
  /** One that was added for it, if somebody has said that it is a new one, or its values are taken from a date. */
  const adoptAdded = (field: Known) =>
    adopt(
      field,
      live.find(
        ({ name, type }) =>
          name === field &&
          formOf(engine, field, type, false) === undefined &&
          ['nothing', 'marks'].includes(held?.get(name) ?? 'nothing'),
      ),
    )
  for (const [field, choice] of choices) {
    if (choice === 'new') continue
    const { live: column } = choice
    const isOpposite = choice.isOpposite || (field === 'is_active' && saysOpposite(column.name))
    if (flags.has(field) && isTime(engine, column.type))
      dates.push({ column: field, name: column.name, isOpposite })
    else adopt(field, column, isOpposite)
  }
  for (const field of choices.keys()) adoptAdded(field)
  // These first: a column of usernames may hold addresses.
  for (const field of new Set<Known>(['email', 'password_hash', ...userColumns])) {
    if (choices.has(field)) continue
    const byName = candidates(field, [plain(field), ...(names[field] ?? [])])
    const [kind, what] = holding[field] ?? []
    if (held === null || kind === undefined) {
      adopt(field, byName[0])
      continue
    }
    const byValue = live.filter(
      ({ name }) => held.get(name) === kind && !isTaken(name) && !ourKeys.test(name),
    )
    const all = [...new Set([...byName, ...byValue].map(({ name }) => name))]
    const [first] = all
    if (all.length === 1 && byName[0] !== undefined && held.get(byName[0].name) !== 'nothing')
      adopt(field, byName[0])
    else
      undecided.set(field, {
        candidates: all,
        question:
          first === undefined
            ? `no column seems to hold ${what}: say which one does, --column ${field}=…, or --column ${field}=none for a new, empty one`
            : `${all.join(', ')} may hold ${what}: say which one does, such as --column ${field}=${first}, or --column ${field}=none for a new, empty one`,
      })
  }
  if (choices.has('is_active')) return { adopted, dates, undecided }
  adopt('is_active', candidates('is_active', opposites, true)[0], true)
  const locks = held === null ? [] : unreadLocks(live, { adopted, dates }, engine)
  if (locks.length > 0)
    undecided.set('is_active', {
      candidates: locks.map(({ name }) => name),
      question: lockQuestion(locks, adopted.is_active?.live.name ?? 'none'),
    })
  return { adopted, dates, undecided }
}

/** They hold addresses once they are filled. */
const ourKeys = /^(?:account_)?(?:email|username)_key$/

/** What columns hold that are told by their values as well. */
const holding: Partial<Record<Known, readonly [Held, string]>> = {
  email: ['addresses', 'email addresses'],
  password_hash: ['hashes', 'password hashes'],
}

/** Apps keep where people came from in a column of that name. Ours always has a value, and a default. */
const isOurOrigin = ({ isNullable, isOptional }: LiveColumn): boolean => !isNullable && isOptional
