/** The first column of a row that has one of these names, and a value. */
export type Columns = (...names: readonly string[]) => unknown

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** Columns that hold others: in the results of SimpleWebAuthn and Go's webauthn, in Laravel and Keycloak. */
const nested = ['credential', 'data', 'authenticator', 'flags', 'credentialdata']

/**
 * The columns by their names without case, underscores and the prefix `credential`: systems write `credentialID`,
 * `credential_id`, `sign_count`. `id` is the row's own where `credential_id` is another.
 */
export function columnsOf(row: Record<string, unknown>): Columns {
  const entries = entriesOf(row)
  const inner = entries.flatMap(([name, value]) => (isNested(name, value) ? entriesOf(value as object) : []))
  const columns = new Map([...entries.filter(([name, value]) => !isNested(name, value)), ...inner])
  return (...names) =>
    [...names.map((name) => `credential${name}`), ...names]
      .map((name) => columns.get(name))
      .find((value) => value !== undefined)
}

const isNested = (name: string, value: unknown): boolean => nested.includes(name) && isObject(value)

function entriesOf(row: object): [string, unknown][] {
  return Object.entries(row)
    .map(([name, value]): [string, unknown] => [name.toLowerCase().replaceAll('_', ''), plain(value)])
    .filter(([, value]) => value !== null && value !== undefined)
}

/** A value without what databases and their exports put around it: JSON as text, and MongoDB's types. */
function plain(field: unknown): unknown {
  const value = typeof field === 'string' && /^\s*[{["]/.test(field) ? jsonIn(field) : field
  if (!isObject(value)) return value
  const type = ['$binary', 'base64', '$date', '$numberLong', '$numberInt'].find((each) => each in value)
  return type === undefined ? value : plain(value[type])
}

/** The text itself if it is no JSON, such as a PostgreSQL array. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
