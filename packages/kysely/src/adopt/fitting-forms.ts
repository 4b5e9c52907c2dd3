import type { Engine } from '../base/engine.js'
import type { UsersTable } from '../base/schema.js'
import type { ColumnForm } from '../columns/column-forms.js'
import { fits } from '../inspect/live-types.js'

type Known = keyof UsersTable

export const flags: ReadonlySet<Known> = new Set<Known>(['is_verified', 'is_staff', 'is_active'])
const times = new Set<Known>(['created_at', 'last_login_at', 'email_changed_at'])
const anyText = /char|text|clob|enum|binary|blob/
const anyTime: Record<Engine, RegExp> = {
  postgres: /^timestamp/,
  mysql: /^(?:datetime|timestamp)/,
  sqlite: /char|text|clob|date|time/,
}

export function isTime(engine: Engine, type: string): boolean {
  return anyTime[engine].test(type)
}

/** How a column of this type can be ours; `undefined`: as it is; `null`: not at all, so ours gets another name. */
export function formOf(
  engine: Engine,
  field: Known,
  type: string,
  isOpposite: boolean,
): ColumnForm | null | undefined {
  const { flag, boolean, whole } = fits[engine]
  if (flags.has(field)) {
    if (isOpposite) return flag(type) || boolean(type) ? 'not boolean' : null
    if (flag(type)) return undefined
    return boolean(type) ? 'boolean' : null
  }
  if (times.has(field)) {
    if (isTime(engine, type)) return 'timestamptz'
    return whole(type) ? undefined : null
  }
  if (field === 'id') {
    if (type === 'uuid') return 'uuid'
    // Our own need no more; of others, the rows tell whether they are UUIDs.
    return engine === 'mysql' && /^(?:var)?char/.test(type) ? 'uuid' : undefined
  }
  if (/_epoch$|^version$/.test(field)) return whole(type) ? undefined : null
  return anyText.test(type) || fits[engine].key(type) ? undefined : null
}
