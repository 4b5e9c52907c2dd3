import type { KyselyPlugin, QueryResult, RootOperationNode, UnknownRow } from 'kysely'

/**
 * Queries built on the result use the database's column names for one table, and return rows with the default ones,
 * the only names that the rest of this package knows.
 * @param names from the default name of each column to its name in the database
 */
export function withColumns<On extends { withPlugin(plugin: KyselyPlugin): On }>(
  on: On,
  names: Readonly<Record<string, string>>,
): On {
  let plugin = plugins.get(names)
  if (plugin === undefined) {
    const changed = Object.entries(names).filter(([known, name]) => known !== name)
    plugin = changed.length === 0 ? null : renamedColumns(changed)
    plugins.set(names, plugin)
  }
  return plugin === null ? on : on.withPlugin(plugin)
}

/** The plugin that renames a table's columns, by their names; `null` if they have the default ones. */
const plugins = new WeakMap<Readonly<Record<string, string>>, KyselyPlugin | null>()

function renamedColumns(changed: [known: string, name: string][]): KyselyPlugin {
  const names = new Map(changed)
  const known = new Map(changed.map(([known, name]) => [name, known]))
  const toKnown = (row: UnknownRow): UnknownRow =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [known.get(name) ?? name, value]))
  return {
    /** Runs when a query is compiled, which is once. */
    transformQuery: ({ node }) => renamed(node, names) as RootOperationNode,
    transformResult: async ({ result }): Promise<QueryResult<UnknownRow>> => ({
      ...result,
      rows: result.rows.map(toKnown),
    }),
  }
}

/**
 * A copy of the nodes with other column names. Kysely's `OperationNodeTransformer` can't do it: in another version it
 * omits what it doesn't know.
 */
function renamed(part: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(part)) return part.map((each) => renamed(each, names))
  if (!isNode(part)) return part
  if (part.kind === 'ColumnNode') return columnNode(part as ColumnNode, names)
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, renamed(value, names)]))
}

interface ColumnNode {
  kind: 'ColumnNode'
  column: { name: string }
}

function columnNode(node: ColumnNode, names: ReadonlyMap<string, string>): ColumnNode {
  const name = names.get(node.column.name)
  return name === undefined ? node : { ...node, column: { ...node.column, name } }
}

/** Values are not nodes: they stay as they are. */
function isNode(part: unknown): part is { kind: string } {
  return typeof part === 'object' && part !== null && 'kind' in part
}
