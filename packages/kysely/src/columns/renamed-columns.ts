import type { KyselyPlugin, QueryResult, RootOperationNode, UnknownRow } from 'kysely'
import { isNode, withReads, withWrites } from './column-values.js'
import type { TableColumns } from './names.js'

/**
 * Queries built on the result use the database's columns for one table, by their names and with what they hold, and take
 * and return rows as the default ones would hold them, the only ones that the rest of this package knows.
 */
export function withColumns<On extends { withPlugin(plugin: KyselyPlugin): On }>(
  on: On,
  columns: TableColumns,
): On {
  let plugin = plugins.get(columns)
  if (plugin === undefined) {
    plugin = isDefault(columns) ? null : hostColumns(columns)
    plugins.set(columns, plugin)
  }
  return plugin === null ? on : on.withPlugin(plugin)
}

/** The plugin for a table's columns; `null` if they are the default ones. */
const plugins = new WeakMap<TableColumns, KyselyPlugin | null>()

function isDefault({ names, forms }: TableColumns): boolean {
  return Object.keys(forms).length === 0 && Object.entries(names).every(([column, name]) => column === name)
}

function hostColumns(columns: TableColumns): KyselyPlugin {
  const names = new Map(Object.entries(columns.names))
  const columnsByName = new Map([...names].map(([column, name]) => [name, column]))
  const toKnown = (row: UnknownRow): UnknownRow =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [columnsByName.get(name) ?? name, value]))
  const forms = Object.keys(columns.forms).length === 0 ? undefined : columns
  return {
    /** Runs when a query is compiled, which is once. */
    transformQuery: ({ node }) =>
      changed(forms ? withReads(node, forms) : node, names, forms) as RootOperationNode,
    transformResult: async ({ result }): Promise<QueryResult<UnknownRow>> => ({
      ...result,
      rows: result.rows.map(toKnown),
    }),
  }
}

/**
 * A copy of the nodes with other column names and, if some columns are of other types, with what those hold. Kysely's
 * `OperationNodeTransformer` can't do it: in another version it omits what it doesn't know.
 */
function changed(
  part: unknown,
  names: ReadonlyMap<string, string>,
  forms: TableColumns | undefined,
): unknown {
  if (Array.isArray(part)) return part.map((each) => changed(each, names, forms))
  if (!isNode(part)) return part
  if (isColumn(part)) return columnNode(part, names)
  const node = forms ? withWrites(part, forms) : part
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, changed(value, names, forms)]))
}

interface ColumnNode {
  kind: 'ColumnNode'
  column: { name: string }
}

function isColumn(node: { kind: string }): node is ColumnNode {
  return node.kind === 'ColumnNode'
}

function columnNode(node: ColumnNode, names: ReadonlyMap<string, string>): ColumnNode {
  const name = names.get(node.column.name)
  return name === undefined ? node : { ...node, column: { ...node.column, name } }
}
