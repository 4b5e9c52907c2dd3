import { type Expression, ExpressionWrapper, type OperationNode, sql } from 'kysely'
import type { Form } from './column-forms.js'
import type { TableColumns } from './names.js'

/** A node of a query, as far as it matters here: Kysely's versions differ in the rest. */
export interface Node {
  readonly kind: string
  readonly [part: string]: unknown
}

/** Values are not nodes. */
export function isNode(part: unknown): part is Node {
  return typeof part === 'object' && part !== null && 'kind' in part
}

/**
 * What a query returns is what our columns would hold. Inside it, columns stay as they are: they are compared with each
 * other.
 */
export function withReads(query: object, columns: TableColumns): Node {
  const node = query as Node
  const { selections, setOperations, returning } = node
  return {
    ...node,
    ...(selections !== undefined && {
      selections: nodesOf(selections).map((each) => reading(each, columns)),
    }),
    ...(setOperations !== undefined && {
      setOperations: nodesOf(setOperations).map((each) => ({
        ...each,
        expression: withReads(nodeOf(each.expression), columns),
      })),
    }),
    ...(returning !== undefined && { returning: withReads(nodeOf(returning), columns) }),
  }
}

/** Under the column's name in the database, like all others that come back. */
function reading(node: Node, { names, forms }: TableColumns): Node {
  const name = columnOf(node.selection)
  const form = formOf(forms, node.selection)
  if (name === undefined || form === undefined) return node
  const value = form.read(expression(nodeOf(node.selection))).as(names[name] ?? name)
  return { ...node, selection: value.toOperationNode() }
}

/** What a column is set to, or compared with, is what it holds. Not of the nodes inside, which the caller visits. */
export function withWrites(node: Node, { forms }: TableColumns): Node {
  switch (node.kind) {
    case 'BinaryOperationNode': {
      const form = formOf(forms, node.leftOperand)
      const isOfNull = /^is\b/.test(String(nodeOf(node.operator).operator))
      if (form === undefined || isOfNull) return node
      return { ...node, rightOperand: written(nodeOf(node.rightOperand), form) }
    }
    case 'ColumnUpdateNode': {
      const form = formOf(forms, node.column)
      return form === undefined ? node : { ...node, value: written(nodeOf(node.value), form) }
    }
    case 'InsertQueryNode': {
      const columnForms = nodesOf(node.columns).map((column) => formOf(forms, column))
      if (columnForms.every((form) => form === undefined)) return node
      const values = nodeOf(node.values)
      const rows = nodesOf(values.values).map((row) => writtenList(row, (at) => columnForms[at]))
      return { ...node, values: { ...values, values: rows } }
    }
    case 'ColumnDefinitionNode': {
      const form = formOf(forms, node.column)
      return form === undefined ? node : { ...node, dataType: form.type.toOperationNode() }
    }
    default:
      return node
  }
}

function written(node: Node, form: Form): Node {
  switch (node.kind) {
    case 'PrimitiveValueListNode':
      return writtenList(node, () => form)
    case 'ValueNode':
      return write(form, node)
    case 'RawNode': {
      const [first, last] = node.sqlFragments as readonly string[]
      const array = first === 'any(' && last === ')' ? nodesOf(node.parameters)[0] : undefined
      if (array === undefined) return write(form, node)
      return form.writeArray === undefined ? node : toNode(sql`any(${form.writeArray(expression(array))})`)
    }
    // Another column.
    default:
      return node
  }
}

function writtenList(list: Node, formAt: (at: number) => Form | undefined): Node {
  const isPrimitive = list.kind === 'PrimitiveValueListNode'
  const values = (list.values as readonly unknown[]).map((value, at) => {
    const node = isPrimitive ? toNode(sql`${value}`) : nodeOf(value)
    const form = formAt(at)
    return form === undefined ? node : write(form, node)
  })
  return { kind: 'ValueListNode', values }
}

function write(form: Form, value: Node): Node {
  return toNode(form.write(expression(value)))
}

/** How the column that a node refers to is read and written, if it is of another type. */
function formOf(forms: TableColumns['forms'], part: unknown): Form | undefined {
  const name = columnOf(part)
  return name === undefined ? undefined : forms[name]
}

/** The column that a node refers to. */
function columnOf(part: unknown): string | undefined {
  if (!isNode(part)) return undefined
  if (part.kind === 'ReferenceNode') return columnOf(part.column)
  return part.kind === 'ColumnNode' ? (part.column as { name: string }).name : undefined
}

function nodesOf(part: unknown): Node[] {
  return Array.isArray(part) ? part.map(nodeOf) : []
}

function nodeOf(part: unknown): Node {
  return isNode(part) ? part : { kind: '' }
}

function expression(node: Node): Expression<unknown> {
  return new ExpressionWrapper(node as object as OperationNode)
}

function toNode(expression: { toOperationNode(): object }): Node {
  return expression.toOperationNode() as Node
}
