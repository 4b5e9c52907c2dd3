import { CompiledQuery, type Kysely, sql } from 'kysely'
import type { Tables } from '../base/schema.js'
import type { Names } from '../columns/names.js'
import { withSettings } from './migration-limits.js'
import type { Step } from './migrations.js'
import type { Statement } from './statement.js'

/**
 * For each wait of a build: it ends when every transaction that was there before has ended. Others aren't blocked by it.
 */
const longestWait = '10min'

/** Whether the step only adds indexes to existing tables. */
export function addsIndexes(step: Step, db: Kysely<Tables>, names: Names): boolean {
  return step.statements(db, names, 'postgres').every(isIndex)
}

export function isIndex(statement: Statement): boolean {
  return statement.toOperationNode().kind === 'CreateIndexNode'
}

/**
 * Builds the indexes of a step on PostgreSQL before the step runs, while others read and write the table. An index that
 * an interrupted build has left is built anew.
 */
export async function buildIndexes(db: Kysely<Tables>, step: Step, names: Names): Promise<void> {
  for (const statement of step.statements(db, names, 'postgres')) {
    const index = indexOf(statement)
    // An empty table takes no time, and the step does it.
    if (index === undefined || (await isEmpty(db, index.table))) continue
    const { name, table } = index
    const { rows } = await sql<{ valid: boolean }>`select indisvalid as valid from pg_index
      join pg_class on pg_class.oid = indexrelid
      where relname = ${name} and indrelid = ${quoted(table)}::regclass`.execute(db)
    const isValid = rows[0]?.valid
    if (isValid) continue
    await withSettings(db, 'postgres', { locks: longestWait }, async () => {
      if (isValid === false) {
        await sql`drop index concurrently ${sql.id(...table.slice(0, -1), name)}`.execute(db)
      }
      await db.executeQuery(CompiledQuery.raw(concurrently(statement.compile().sql)))
    })
  }
}

/** The statement that builds an index on PostgreSQL while others write to the table. It can't be in a transaction. */
export function concurrently(statement: string): string {
  return statement.replace(/^create index /, 'create index concurrently ')
}

/** What a statement that creates an index is about: its name, and the table, with its schema if it has one. */
function indexOf(statement: Statement): { name: string; table: string[] } | undefined {
  const node = statement.toOperationNode()
  if (node.kind !== 'CreateIndexNode' || node.table === undefined) return undefined
  const { schema, identifier } = node.table.table
  return { name: node.name.name, table: [...(schema ? [schema.name] : []), identifier.name] }
}

async function isEmpty(db: Kysely<Tables>, table: string[]): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.id(...table)} limit 1`.execute(db)
  return rows.length === 0
}

function quoted(table: string[]): string {
  return table.map((part) => `"${part.replaceAll('"', '""')}"`).join('.')
}
