import type { TableDescription } from 'fastify-accounts'
import type { Engine } from '../base/engine.js'
import { columnFaults, isKey } from '../inspect/inspect-tables.js'
import type { LiveTable } from '../inspect/live-tables.js'
import type { Adopted } from './adopted-columns.js'

/** Why the types and indexes of a table keep it from being ours, one line each. */
export function columnObstacles(
  {
    adopted,
    live,
    described,
    undecided,
  }: { adopted: Adopted; live: LiveTable; described: TableDescription; undecided: readonly string[] },
  engine: Engine,
): string[] {
  const ours = new Set([...described.columns.map(({ name }) => name), ...undecided])
  return [
    ...idFaults(adopted, live),
    ...live.columns
      .filter(({ name, isOptional }) => !ours.has(name) && !isOptional)
      .map(
        ({ name }) =>
          `${name} must be nullable or have a default, or be the column of a field (columns.fields): new users have no value for it`,
      ),
    ...otherFaults(adopted, described, engine),
    ...narrowLetters(adopted, engine),
    ...narrowIndexes(adopted, live, engine),
  ]
}

function idFaults({ id }: Adopted, live: LiveTable): string[] {
  if (id === undefined) return ['it has no column id: name the one of the ids with --column id=…']
  const { name, type } = id.live
  if (!canBeId(type))
    return [
      `${name} is ${type}: ids must be texts or UUIDs that the app makes; keep such a table with a store of your own`,
    ]
  return isKey(live, name) ? [] : [`no unique index on ${name} alone: two users could have the same id`]
}

const canBeId = (type: string): boolean => /char|text|clob|binary|^uuid$/.test(type)

/** What can be made good by a statement, or has another line here. */
const treated = new Set<string>([
  ...['username', 'email', 'password_hash'],
  ...['created_at', 'last_login_at', 'email_changed_at'],
])

/** Columns of other types than ours, which could cut a key, or take two for one. */
function otherFaults(adopted: Adopted, { columns }: TableDescription, engine: Engine): string[] {
  return Object.entries(adopted).flatMap(([field, { live, as }]) => {
    const column = columns.find(({ name }) => name === live.name)
    if (column === undefined || as !== undefined || treated.has(field)) return []
    if (field === 'id' && !canBeId(live.type)) return []
    return columnFaults(engine, { ...column, isNullable: false }, live).map(
      (fault) => `${live.name} ${fault}`,
    )
  })
}

/** Characters that the plugin accepts, or its hashes have. */
const lengths = { username: 150, email: 254, password_hash: 128 } as const

/** Columns that are too short, one line each, by their names. SQLite has no such. */
export function shortColumns(adopted: Adopted, engine: Engine): ReadonlyMap<string, string> {
  const lines = new Map<string, string>()
  if (engine === 'sqlite') return lines
  for (const column of ['username', 'email', 'password_hash'] as const) {
    const live = adopted[column]?.live
    const length = Number(/\((\d+)\)/.exec(live?.type ?? '')?.[1] ?? Number.POSITIVE_INFINITY)
    if (live !== undefined && length < lengths[column])
      lines.set(
        live.name,
        `${live.name} is ${live.type}, and needs ${lengths[column]} characters: longer values are rejected, or cut if the SQL mode isn't strict`,
      )
  }
  return lines
}

/** Columns that can't hold every character. */
function narrowLetters(adopted: Adopted, engine: Engine): string[] {
  if (engine !== 'mysql') return []
  return (['username', 'email', 'password_hash'] as const).flatMap((column) => {
    const { name, collation } = adopted[column]?.live ?? { collation: null }
    return collation === null || collation.startsWith('utf8mb4')
      ? []
      : [`${name} has the collation ${collation}, which can't hold every character`]
  })
}

/** Unique indexes that refuse users who are different for us, with an error that is neither a yes nor a no. */
function narrowIndexes({ username, email }: Adopted, live: LiveTable, engine: Engine): string[] {
  const folds = engine === 'mysql' && email?.live.collation && !/_bin$/.test(email.live.collation)
  return [
    ...(username && isKey(live, username.live.name)
      ? [
          `the unique index on ${username.live.name} allows only one account without a username: drop it, the keys are unique`,
        ]
      : []),
    ...(folds && isKey(live, email.live.name)
      ? [
          `the unique index on ${email.live.name} takes addresses for the same that aren't, as ${email.live.collation} compares them: drop it, the keys are unique`,
        ]
      : []),
  ]
}
