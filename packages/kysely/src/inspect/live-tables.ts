import { type Kysely, type RawBuilder, sql } from 'kysely'
import { accountsDb } from '../base/accounts-db.js'
import type { Database } from '../base/database.js'
import { type Engine, engineOf } from '../base/engine.js'
import type { Tables } from '../base/schema.js'
import { splitName } from '../columns/names.js'

/** A table as it is in the database. */
export interface LiveTable {
  columns: readonly LiveColumn[]
  /** None that covers only some of the rows. The primary key is one. */
  indexes: readonly {
    name: string
    /** `null` for an expression, the start of a column, or a column that SQLite compares in another way than byte by byte. */
    columns: readonly (string | null)[]
    isUnique: boolean
    /** Whether it is the primary key. */
    isPrimary: boolean
    /** Whether it is that of a constraint. MySQL makes no difference, and says yes for all that are unique. */
    isConstraint: boolean
  }[]
}

export interface LiveColumn {
  name: string
  /** As the engine writes it, in lower case. */
  type: string
  isNullable: boolean
  /** Whether a row can be inserted without a value. */
  isOptional: boolean
  /** As an expression of the engine; `null` if there is none. */
  default: string | null
  /** How the engine compares its texts; `null` if that is byte by byte, or not known. */
  collation: string | null
}

type LiveIndex = LiveTable['indexes'][number]

/** For tools that write it in other words. `null` if there is no such table. */
export function readTable(host: Database, table: string): Promise<LiveTable | null> {
  return liveTable(accountsDb(host), engineOf(host), table)
}

/** `null` if there is no such table. */
export async function liveTable(
  db: Kysely<Tables>,
  engine: Engine,
  table: string,
): Promise<LiveTable | null> {
  const { columns, indexes } = readers[engine](splitName(table))
  const found = (await columns.execute(db)).rows
  if (found.length === 0) return null
  const byName = new Map<string, LiveIndex & { columns: (string | null)[] }>()
  for (const { name, column, is_unique, origin } of (await indexes.execute(db)).rows) {
    const index = byName.get(name) ?? {
      name,
      columns: [],
      isUnique: Number(is_unique) === 1,
      isPrimary: origin === 'p',
      isConstraint: origin !== null,
    }
    byName.set(name, index)
    index.columns.push(column)
  }
  return {
    columns: found.map((column) => ({
      name: column.name,
      type: column.type.toLowerCase(),
      isNullable: Number(column.is_nullable) === 1,
      isOptional: Number(column.is_nullable) === 1 || Number(column.has_default) === 1,
      default: column.default,
      collation: column.collation,
    })),
    indexes: [...byName.values()],
  }
}

interface ColumnRow {
  name: string
  type: string
  is_nullable: number | string | bigint
  has_default: number | string | bigint
  default: string | null
  collation: string | null
}

/** One for each column of an index, in order. */
interface IndexRow {
  name: string
  column: string | null
  is_unique: number | string | bigint
  /** `p`: the primary key; `u`: another constraint; `null`: just an index. */
  origin: 'p' | 'u' | null
}

type Reader = (table: ReturnType<typeof splitName>) => {
  columns: RawBuilder<ColumnRow>
  indexes: RawBuilder<IndexRow>
}

const readers: Record<Engine, Reader> = {
  postgres({ schema, name }) {
    const oid =
      schema === undefined
        ? sql`to_regclass(quote_ident(${name}::text))`
        : sql`to_regclass(quote_ident(${schema}::text) || '.' || quote_ident(${name}::text))`
    return {
      columns: sql<ColumnRow>`select a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
        (not a.attnotnull)::int as is_nullable,
        (a.atthasdef or a.attidentity <> '' or a.attgenerated <> '')::int as has_default,
        case when a.attgenerated = '' then pg_get_expr(f.adbin, f.adrelid) end as "default",
        case when c.collname = 'default' then d.datcollate else c.collname end as collation
        from pg_attribute a left join pg_collation c on c.oid = a.attcollation
        left join pg_attrdef f on f.adrelid = a.attrelid and f.adnum = a.attnum
        join pg_database d on d.datname = current_database()
        where a.attrelid = ${oid} and a.attnum > 0 and not a.attisdropped order by a.attnum`,
      indexes: sql<IndexRow>`select r.relname as name, a.attname as "column", i.indisunique::int as is_unique,
        case when i.indisprimary then 'p' else
          (select 'u' from pg_constraint where conindid = i.indexrelid and contype = 'u') end as origin
        from pg_index i join pg_class r on r.oid = i.indexrelid cross join unnest(i.indkey::int2[]) with ordinality as k (number, place)
        left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
        where i.indrelid = ${oid} and i.indisvalid and i.indpred is null
        and k.place <= i.indnkeyatts order by 1, k.place`,
    }
  },
  mysql({ schema, name }) {
    const where = sql`table_schema = ${schema === undefined ? sql`database()` : schema} and table_name = ${name}`
    return {
      columns: sql<ColumnRow>`select column_name as name, column_type as type, is_nullable = 'YES' as is_nullable,
        column_default is not null or extra <> '' as has_default, collation_name as collation,
        case when version() like '%MariaDB%' then nullif(column_default, 'NULL')
          when extra like '%DEFAULT_GENERATED%' then column_default
          when column_default is not null then quote(column_default) end as \`default\`
        from information_schema.columns where ${where} order by ordinal_position`,
      indexes: sql<IndexRow>`select index_name as name, case when sub_part is null then column_name end as \`column\`,
        non_unique = 0 as is_unique,
        case when index_name = 'PRIMARY' then 'p' when non_unique = 0 then 'u' end as origin
        from information_schema.statistics where ${where} order by index_name, seq_in_index`,
    }
  },
  sqlite({ schema = 'main', name }) {
    return {
      columns: sql<ColumnRow>`select name, type, "notnull" = 0 and pk = 0 as is_nullable,
        dflt_value is not null as has_default, dflt_value as "default", null as collation
        from pragma_table_info(${name}, ${schema})`,
      indexes: sql<IndexRow>`select list.name as name, case part.coll when 'BINARY' then part.name end as "column",
        list."unique" as is_unique,
        case list.origin when 'pk' then 'p' when 'u' then 'u' end as origin
        from pragma_index_list(${name}, ${schema}) as list, pragma_index_xinfo(list.name, ${schema}) as part
        where list.partial = 0 and part.key = 1 order by list.name, part.seqno`,
    }
  },
}
