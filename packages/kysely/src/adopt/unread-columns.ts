import type { Engine } from '../base/engine.js'
import type { UsersTable } from '../base/schema.js'
import type { LiveColumn } from '../inspect/live-tables.js'
import { formOf, isTime } from './fitting-forms.js'

/** Columns that ours are read from. */
interface ReadColumns {
  adopted: Partial<Record<keyof UsersTable, { live: LiveColumn }>>
  dates: readonly { column: keyof UsersTable; name: string }[]
}

/** A column that may lock users out, and the choice by which it is read, if it can be. */
export interface UnreadLock {
  name: string
  choice: string | null
}

/** Columns that may lock users out, and that none of ours is read from: also a second one beside `is_active`. */
export function unreadLocks(
  live: readonly LiveColumn[],
  { adopted, dates }: ReadColumns,
  engine: Engine,
): UnreadLock[] {
  const read = new Set([
    ...Object.values(adopted).map((column) => column.live.name),
    ...dates.map(({ name }) => name),
  ])
  return live.flatMap(({ name, type }) => {
    if (!isLock(name) || read.has(name)) return []
    const isOpposite = saysOpposite(name)
    const isReadable = isOpposite && (formOf(engine, 'is_active', type, true) || isTime(engine, type))
    return [{ name, choice: isReadable ? `is_active=not:${name}` : null }]
  })
}

/** Columns that may say who is verified, if none of ours is read from one. */
export function verifiedCandidates(
  live: readonly LiveColumn[],
  { adopted, dates }: ReadColumns,
  engine: Engine,
): string[] {
  if (adopted.is_verified !== undefined || dates.some(({ column }) => column === 'is_verified')) return []
  return live.flatMap(({ name, type }) => {
    const isMeant =
      /^(?:is)?(?:account|user|email|mail|emailaddress)?(?:verified|confirmed|validated)(?:at|on)?$/.test(
        plain(name),
      )
    const isReadable = formOf(engine, 'is_verified', type, false) !== null || isTime(engine, type)
    return isMeant && isReadable ? [name] : []
  })
}

const isLock = (name: string) =>
  saysOpposite(name) || /^(?:is)?(?:active|enabled|status|state)$/.test(plain(name))

/** Whether a column of this name is set for users who are not active. */
export function saysOpposite(name: string): boolean {
  return /^(?:is)?(?:inactive|blocked|disabled|banned|suspended|deactivated|deleted|removed|locked|archived)(?:at|on|until)?$/.test(
    plain(name),
  )
}

/** @param otherwise what is said if none of them is read */
export function lockQuestion(locks: readonly UnreadLock[], otherwise: string): string {
  const choices = [...locks.flatMap(({ choice }) => choice ?? []), `is_active=${otherwise}`]
  const unreadable = locks.filter(({ choice }) => choice === null)
  const [it, them] = locks.length === 1 ? ["it doesn't", 'it locks'] : ["they don't", 'they lock']
  const condition =
    unreadable.length === 0 ? ` if ${it}` : `, and set its column to 0 for users whom ${them} out`
  return `${locks.map(({ name }) => name).join(', ')} may lock users out: say ${choices.map((choice) => `--column ${choice}`).join(', or ')}${condition}`
}

/** A name as it is compared with those that other systems use. */
export const plain = (name: string): string => name.toLowerCase().replaceAll('_', '')
