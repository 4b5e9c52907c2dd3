import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Engine } from '../base/engine.js'
import type { Tables } from '../base/schema.js'
import type { Names } from '../columns/names.js'
import { withColumns } from '../columns/renamed-columns.js'
import type { Statement } from './statement.js'

/** Each note, and what the credential began with that it was. */
const moved = [
  { note: 'plainProof', was: { kind: 'plain-proof' } },
  { note: 'promisedRoles', was: { kind: 'promised-roles' } },
  { note: 'invitation', was: { kind: 'invitation' } },
  { note: 'removed', was: { kind: 'removed', id: 'removed' } },
]

const credentials = sql.ref<string>('credentials')
const notes = sql.ref<string>('account_notes')

/**
 * Moves what earlier versions stored among the credentials, and is none, into the notes. The version of such a user
 * increases, so a change that has read the row before starts again. A list that becomes empty is `[]`, which every store reads.
 */
export function moveNotes(db: Kysely<Tables>, { tables, columns }: Names, engine: Engine): Statement[] {
  const users = () =>
    withColumns(db, columns.users)
      .updateTable(tables.users)
      .set('version', sql<number>`${sql.ref('version')} + 1`)
  if (engine === 'postgres') return [users().set(asText).where(hasMoved)]
  return moved.map(({ note, was }) => {
    const path = pathOf[engine](was.kind)
    const names = Object.keys(was).map((name) => sql.lit(`$.${name}`))
    const value = sql`json_remove(json_extract(${credentials}, ${path}), ${sql.join(names)})`
    return (
      users()
        // MySQL sets one column after the other, so the credentials, which both are made of, come last.
        .set(
          'account_notes',
          sql<string>`json_set(coalesce(${notes}, '{}'), ${sql.lit(`$.${note}`)}, ${value})`,
        )
        .set('credentials', sql<string>`json_remove(${credentials}, ${path})`)
        .where(sql<boolean>`${path} is not null`)
    )
  })
}

/** Where in the list the credential of a kind is, such as `$[2]`; NULL without one. */
const pathOf: Record<Exclude<Engine, 'postgres'>, (kind: string) => RawBuilder<unknown>> = {
  sqlite: (kind) =>
    sql`(select fullkey from json_each(${credentials}) where json_extract(value, '$.kind') = ${sql.lit(kind)})`,
  mysql: (kind) =>
    sql`replace(json_unquote(json_search(${credentials}, 'one', ${sql.lit(kind)}, null, '$[*].kind')), '.kind', '')`,
}

const beginnings = moved.map(({ note, was }) => {
  const beginning = JSON.stringify(was).replace('}', ',')
  return sql`(${sql.lit(`"${note}":{`)}, ${sql.lit(beginning)})`
})
const list = sql`json_array_elements(${credentials}::json) with ordinality as list (credential, place)`
const starts = sql`(values ${sql.join(beginnings)}) as starts (of_note, of_kind)`
const isMoved = sql`left(credential::text, length(of_kind)) = of_kind`
const before = sql`coalesce(left(nullif(${notes}, '{}'), -1) || ',', '{')`
const added = sql`string_agg(of_note || substr(credential::text, length(of_kind) + 1), ',')`
const kept = sql`coalesce(string_agg(credential::text, ',' order by place), '')`
const isKept = sql`not exists (select from ${starts} where ${isMoved})`
const kinds = moved.map(({ was }) => was.kind).join('|')

/** On PostgreSQL, as text: its functions for JSON reject characters that texts may have, even in what they only copy. */
const asText = {
  account_notes: sql<string>`(select ${before} || ${added} || '}' from ${list} join ${starts} on ${isMoved})`,
  credentials: sql<string>`(select '[' || ${kept} || ']' from ${list} where ${isKept})`,
}
const hasMoved = sql<boolean>`${credentials} ~ ${sql.lit(`[{]"kind":"(${kinds})",`)}`
