import type { Engine } from '../base/engine.js'
import { type ColumnForm, type Form, formOf } from './column-forms.js'

/** What columns may hold instead. What only our own tables hold keeps its type. */
interface ColumnForms {
  users: {
    id: 'uuid'
    is_verified: 'boolean' | 'not boolean'
    is_staff: 'boolean' | 'not boolean'
    is_active: 'boolean' | 'not boolean'
    created_at: 'timestamptz'
    last_login_at: 'timestamptz'
    email_changed_at: 'timestamptz'
  }
  identities: { user_id: 'uuid' }
  sessions: { user_id: 'uuid' }
  invitations: object
  activity: object
  organizations: object
  organizationMembers: object
  outbox: object
}

const [flag, time, id] = [['boolean', 'not boolean'], ['timestamptz'], ['uuid']] as const

const formsOf: {
  [Table in keyof ColumnForms]: {
    [Column in keyof ColumnForms[Table]]: readonly ColumnForms[Table][Column][]
  }
} = {
  users: {
    id,
    is_verified: flag,
    is_staff: flag,
    is_active: flag,
    created_at: time,
    last_login_at: time,
    email_changed_at: time,
  },
  identities: { user_id: id },
  sessions: { user_id: id },
  invitations: {},
  activity: {},
  organizations: {},
  organizationMembers: {},
  outbox: {},
}

/** A column's name, or also what it holds, if that isn't what ours would. */
type TypedColumn<As> = string | { name?: string | undefined; as?: As | undefined }

/** Other names for some columns of a table, and what they hold. */
export type SomeColumns<Columns extends string, Table extends keyof ColumnForms> = {
  [Column in Columns]?:
    | (Column extends keyof ColumnForms[Table] ? TypedColumn<ColumnForms[Table][Column]> : string)
    | undefined
}

/**
 * What a column is given as: its name, and how it is read and written.
 * @throws TypeError of one line that names the option
 */
export function typedColumn(
  table: keyof ColumnForms,
  column: string,
  value: unknown,
  engine: Engine,
): { name: unknown; form: Form | undefined } {
  if (typeof value !== 'object' || value === null) return { name: value, form: undefined }
  const option = `columns.${table}.${column}`
  const unknown = Object.keys(value).find((key) => key !== 'name' && key !== 'as')
  if (unknown !== undefined) throw new TypeError(`${option}.${unknown} is not an option`)
  const { name = column, as } = value as { name?: unknown; as?: unknown }
  if (as === undefined) return { name, form: undefined }
  const forms: Partial<Record<string, readonly ColumnForm[]>> = formsOf[table]
  const allowed = forms[column] ?? []
  const allowedForm = allowed.find((form) => form === as)
  if (allowedForm !== undefined) return { name, form: formOf(engine, allowedForm) }
  throw new TypeError(
    allowed.length === 0
      ? `${option}.as is not an option: this column can't have another type`
      : `${option}.as must be ${allowed.join(' or ')}, got ${String(as)}`,
  )
}
