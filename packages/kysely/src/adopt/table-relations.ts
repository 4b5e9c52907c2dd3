import { type Kysely, sql } from 'kysely'
import type { Engine } from '../base/engine.js'
import type { Tables } from '../base/schema.js'
import { splitName } from '../columns/names.js'

/** The foreign keys that point at a table: `orders.customer_id`. */
export async function referencesTo(db: Kysely<Tables>, engine: Engine, table: string): Promise<string[]> {
  const { schema, name } = splitName(table)
  const query =
    engine === 'postgres'
      ? sql<{ line: string }>`select conrelid::regclass::text || '.' || a.attname as line from pg_constraint c
          join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
          where c.contype = 'f' and c.confrelid = to_regclass(${quoted(schema, name)}) order by 1`
      : engine === 'mysql'
        ? sql<{
            line: string
          }>`select concat(table_name, '.', column_name) as line from information_schema.key_column_usage
            where referenced_table_schema = coalesce(${schema ?? null}, database()) and referenced_table_name = ${name} order by 1`
        : sql<{ line: string }>`select t.name || '.' || k."from" as line
            from sqlite_schema t, pragma_foreign_key_list(t.name) k
            where t.type = 'table' and k."table" = ${name} collate nocase order by 1`
  return (await query.execute(db)).rows.map(({ line }) => line)
}

/** The names of its triggers. */
export async function triggersOn(db: Kysely<Tables>, engine: Engine, table: string): Promise<string[]> {
  const { schema, name } = splitName(table)
  const query =
    engine === 'postgres'
      ? sql<{ name: string }>`select tgname as name from pg_trigger
          where tgrelid = to_regclass(${quoted(schema, name)}) and not tgisinternal order by 1`
      : engine === 'mysql'
        ? sql<{ name: string }>`select trigger_name as name from information_schema.triggers
            where event_object_schema = coalesce(${schema ?? null}, database()) and event_object_table = ${name} order by 1`
        : sql<{
            name: string
          }>`select name from sqlite_schema where type = 'trigger' and tbl_name = ${name} collate nocase order by 1`
  return (await query.execute(db)).rows.map((row) => row.name)
}

/** As PostgreSQL reads a name from a text. */
function quoted(schema: string | undefined, name: string): string {
  const parts = schema === undefined ? [name] : [schema, name]
  return parts.map((part) => `"${part.replaceAll('"', '""')}"`).join('.')
}
