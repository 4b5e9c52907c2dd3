import { hash } from 'node:crypto'

/** The texts of the stores' statements, with the name that PostgreSQL may know each by, once it was asked for. */
const names = new Map<string, string | undefined>()

/** From now on it is one of the stores' statements. */
export function addStatement(sql: string): void {
  if (!names.has(sql)) names.set(sql, undefined)
}

/** `undefined` if it is none of the stores' statements. */
export function nameOfStatement(sql: string): string | undefined {
  if (!names.has(sql)) return undefined
  const name = names.get(sql) ?? preparedName(sql)
  names.set(sql, name)
  return name
}

/** One text has one name in all processes: behind a pooler they share connections, and none runs another's statement. */
export function preparedName(sql: string): string {
  return `accounts_${hash('sha256', sql, 'base64url').slice(0, 22)}`
}
