import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Engine } from '../base/engine.js'
import type { Tables } from '../base/schema.js'
import { splitName } from '../columns/names.js'

/** A table as it is in the database. */
export interface LiveTable {
  columns: readonly LiveColumn[]
  /** None that covers only some of the rows. The primary key is one. */
  indexes: readonly {
    /** `null` for an expression, the start of a column, or a column that SQLite compares in another way than byte by byte. */
    columns: readonly (string | null)[]
    isUnique: boolean
  }[]
}

export interface LiveColumn {
  name: string
  /** As the engine writes it, in lower case. */
  type: string
  isNullable: boolean
  /** Whether a row can be inserted without a value. */
  isOptional: boolean
  /** How the engine compares its texts; `null` if that is byte by byte, or not known. */
  collation: string | null
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
  const byName = new Map<string, { columns: (string | null)[]; isUnique: boolean }>()
  for (const { name, column, is_unique } of (await indexes.execute(db)).rows) {
    const index = byName.get(name) ?? { columns: [], isUnique: Number(is_unique) === 1 }
    byName.set(name, index)
    index.columns.push(column)
  }
  return {
    columns: found.map((column) => ({
      name: column.name,
      type: column.type.toLowerCase(),
      isNullable: Number(column.is_nullable) === 1,
      isOptional: Number(column.is_nullable) === 1 || Number(column.has_default) === 1,
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
  collation: string | null
}

/** One for each column of an index, in order. */
interface IndexRow {
  name: string
  column: string | null
  is_unique: number | string | bigint
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
        case when c.collname = 'default' then d.datcollate else c.collname end as collation
        from pg_attribute a left join pg_collation c on c.oid = a.attcollation
        join pg_database d on d.datname = current_database()
        where a.attrelid = ${oid} and a.attnum > 0 and not a.attisdropped order by a.attnum`,
      indexes: sql<IndexRow>`select i.indexrelid::text as name, a.attname as "column", i.indisunique::int as is_unique
        from pg_index i cross join unnest(i.indkey::int2[]) with ordinality as k (number, place)
        left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
        where i.indrelid = ${oid} and i.indisvalid and i.indpred is null
        and k.place <= i.indnkeyatts order by 1, k.place`,
    }
  },
  mysql({ schema, name }) {
    const where = sql`table_schema = ${schema === undefined ? sql`database()` : schema} and table_name = ${name}`
    return {
      columns: sql<ColumnRow>`select column_name as name, column_type as type, is_nullable = 'YES' as is_nullable,
        column_default is not null or extra <> '' as has_default, collation_name as collation
        from information_schema.columns where ${where} order by ordinal_position`,
      indexes: sql<IndexRow>`select index_name as name, case when sub_part is null then column_name end as \`column\`,
        non_unique = 0 as is_unique from information_schema.statistics where ${where} order by index_name, seq_in_index`,
    }
  },
  sqlite({ schema = 'main', name }) {
    return {
      columns: sql<ColumnRow>`select name, type, "notnull" = 0 and pk = 0 as is_nullable,
        dflt_value is not null as has_default, null as collation from pragma_table_info(${name}, ${schema})`,
      indexes: sql<IndexRow>`select list.name as name, case part.coll when 'BINARY' then part.name end as "column",
        list."unique" as is_unique
        from pragma_index_list(${name}, ${schema}) as list, pragma_index_xinfo(list.name, ${schema}) as part
        where list.partial = 0 and part.key = 1 order by list.name, part.seqno`,
    }
  },
}
