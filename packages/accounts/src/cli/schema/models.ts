import type { TableDescription } from '../../index.js'

/** What code calls a table, whatever its name in the database is. */
export const modelNames: Record<TableDescription['holds'], string> = {
  users: 'AccountsUser',
  identities: 'AccountsIdentity',
  sessions: 'AccountsSession',
  invitations: 'AccountsInvitation',
  activity: 'AccountsActivity',
  outbox: 'AccountsMessage',
  organizations: 'AccountsOrganization',
  organizationMembers: 'AccountsOrganizationMember',
}

/** A table's name and the schema that it is in, if it says one. */
export function splitTable({ name }: Pick<TableDescription, 'name'>): {
  schema: string | undefined
  table: string
} {
  const dot = name.lastIndexOf('.')
  return { schema: dot === -1 ? undefined : name.slice(0, dot), table: name.slice(dot + 1) }
}

/** What code calls a column. @param name its name in the database */
export function fieldOf({ columns }: TableDescription, name: string): string {
  return columns.find((column) => column.name === name)?.field ?? name
}

/** Whether a column is the whole primary key. @param name its name in the database */
export function isPrimary({ primaryKey: [first, ...others] }: TableDescription, name: string): boolean {
  return first === name && others.length === 0
}

/** As the third column of a text in columns. */
export function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = [0, 1].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows.map(([first = '', second = '', ...rest]) =>
    [first.padEnd(widths[0] ?? 0), second.padEnd(widths[1] ?? 0), ...rest].join(' ').trimEnd(),
  )
}
