import {
  ColumnNode,
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryResult,
  type RootOperationNode,
  type UnknownRow,
} from 'kysely'

/**
 * What is built on the result writes the columns of one table by their names in the database, and gets rows back by
 * the default ones: everything else in this package knows only those.
 * @param names from the default name of each column to its name in the database
 */
export function withColumns<On extends { withPlugin(plugin: KyselyPlugin): On }>(
  on: On,
  names: Readonly<Record<string, string>>,
): On {
  const changed = Object.entries(names).filter(([known, name]) => known !== name)
  return changed.length === 0 ? on : on.withPlugin(new RenamedColumns(changed))
}

class RenamedColumns extends OperationNodeTransformer implements KyselyPlugin {
  readonly #names: ReadonlyMap<string, string>
  readonly #known: ReadonlyMap<string, string>

  constructor(changed: [known: string, name: string][]) {
    super()
    this.#names = new Map(changed)
    this.#known = new Map(changed.map(([known, name]) => [name, known]))
  }

  /** Runs when a query is compiled, which is once. */
  transformQuery({ node, queryId }: PluginTransformQueryArgs): RootOperationNode {
    return this.transformNode(node, queryId)
  }

  protected override transformColumn(node: ColumnNode): ColumnNode {
    const name = this.#names.get(node.column.name)
    return name === undefined ? node : ColumnNode.create(name)
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    const known = (row: UnknownRow): UnknownRow =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [this.#known.get(name) ?? name, value]))
    return { ...result, rows: result.rows.map(known) }
  }
}
