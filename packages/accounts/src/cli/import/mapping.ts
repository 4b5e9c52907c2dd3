import { parseEmail } from '../../identifiers/email.js'
import { usernameKey } from '../../identifiers/username.js'
import type { JsonValue, User, UserFields } from '../../user.js'
import { UsageError } from '../command.js'
import { isNamed } from './errors.js'
import { parseJson } from './parse-json.js'
import type { ProofReaders, Proofs } from './proofs.js'

/**
 * The user fields that a file may have. In addition, `fields.<name>` is one of your own fields, and there are
 * the proofs, which may be repeated.
 */
const targets = [
  'id',
  'username',
  'email',
  'passwordHash',
  'isVerified',
  'isStaff',
  'roles',
  'isActive',
  'createdAt',
  'lastLoginAt',
] as const
type Target = (typeof targets)[number]

/** A user as described by a line. Missing values are absent. */
export type ImportedLine = Partial<
  Pick<User, Exclude<Target, 'id'> | 'usernameKey' | 'emailKey' | 'fields'> & Proofs
> & { username: string | null; usernameKey: string | null; id?: string }

/** Makes a user from a record, or returns what is wrong with it. */
export type Mapping = (record: Record<string, unknown>) => ImportedLine | { reason: string }

type Source = (record: Record<string, unknown>) => unknown

/**
 * @param maps `field=column`, or `field=text with {columns}`; repeatable for proofs
 * @param sets `field=value`, the same for every line
 * @throws UsageError
 */
export function createMapping(
  maps: readonly string[],
  sets: readonly string[],
  proofs: ProofReaders,
): Mapping {
  const sources = new Map<string, Source>()
  for (const target of [...targets, ...proofs.fields]) {
    const snake = target.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    sources.set(target, (record) => record[target] ?? record[snake])
  }
  const mapped = new Map<string, Source>()
  for (const each of maps) {
    const [target, column] = split('--map', each, proofs.fields)
    const source = column.includes('{')
      ? template(column)
      : (record: Record<string, unknown>) => record[column]
    const others = proofs.fields.includes(target) ? mapped.get(target) : undefined
    mapped.set(target, others === undefined ? source : both(others, source))
  }
  for (const each of sets) {
    const [target, value] = split('--set', each, proofs.fields)
    mapped.set(target, () => value)
  }
  for (const [target, source] of mapped) sources.set(target, source)
  return (record) => {
    try {
      return toLine(record, sources, proofs)
    } catch (error) {
      if (error instanceof BadValue) return { reason: error.message }
      throw error
    }
  }
}

function both(one: Source, other: Source): Source {
  return (record) => [one(record), other(record)].flat()
}

/** Whether one of these options maps a field. */
export function isMapped(target: string, options: readonly string[]): boolean {
  return options.some((each) => each.startsWith(`${target}=`))
}

/** The columns that `maps` read. */
export function mappedColumns(maps: readonly string[]): string[] {
  return maps.flatMap((each) => {
    const column = each.slice(each.indexOf('=') + 1)
    return column.includes('{') ? columnsOf(column) : [column]
  })
}

function columnsOf(text: string): string[] {
  return [...text.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name)
}

function split(option: string, text: string, others: readonly string[]): [target: string, rest: string] {
  const at = text.indexOf('=')
  const target = text.slice(0, at)
  const targetNames = [...targets, ...others]
  if (at < 1 || !(targetNames.includes(target) || /^fields\.[^.]+$/.test(target))) {
    throw new UsageError(
      `${option} requires field=…, where field is one of ${targetNames.join(', ')}, fields.<name>; not ${text}`,
    )
  }
  return [target, text.slice(at + 1)]
}

/** Empty if one of the columns is empty. */
function template(text: string): Source {
  const names = columnsOf(text)
  return (record) => {
    if (names.some((name) => isEmpty(record[name]))) return undefined
    return text.replaceAll(/\{([^}]+)\}/g, (_, name: string) => String(record[name]))
  }
}

class BadValue extends Error {}

function toLine(
  record: Record<string, unknown>,
  sources: ReadonlyMap<string, Source>,
  proofs: ProofReaders,
): ImportedLine {
  const valueFor = (target: Target): unknown => {
    const value = sources.get(target)?.(record)
    return isEmpty(value) ? undefined : value
  }
  const username = textOf('username', valueFor('username')) ?? null
  const key = username && usernameKey(username)
  const line: ImportedLine = { username, usernameKey: key }
  if (key === '') throw new BadValue('username: has only invisible characters')
  if (Buffer.byteLength(key ?? '') > 1024) throw new BadValue('username: is too long')
  const id = textOf('id', valueFor('id'))
  if (id !== undefined) line.id = id
  const address = textOf('email', valueFor('email'))
  if (address !== undefined) {
    const parsed = parseEmail(address)
    if (parsed === null) throw new BadValue('email: is not an email address')
    Object.assign(line, parsed)
  }
  const hash = textOf('passwordHash', valueFor('passwordHash'))
  // In shadow files and in Django, this prefix means that there is no hash.
  if (hash !== undefined && !hash.startsWith('!')) line.passwordHash = hash
  for (const flag of ['isVerified', 'isStaff', 'isActive'] as const) {
    const value = valueFor(flag)
    if (value !== undefined) line[flag] = flag === 'isVerified' && isDate(value) ? true : flagOf(flag, value)
  }
  const roles = rolesOf(valueFor('roles'))
  if (roles !== undefined) line.roles = roles
  for (const time of ['createdAt', 'lastLoginAt'] as const) {
    const value = valueFor(time)
    if (value !== undefined) line[time] = timeOf(time, value)
  }
  const fields: UserFields = {}
  for (const [target, source] of sources) {
    const value = target.startsWith('fields.') ? source(record) : undefined
    if (!isEmpty(value)) fields[target.slice('fields.'.length)] = value as JsonValue
  }
  if (Object.keys(fields).length > 0) line.fields = fields
  // They are older than the import, so a lockdown in the week after it must keep them.
  const since = (line.createdAt ?? new Date(0)).toISOString()
  Object.assign(line, proofsOf(record, sources, proofs, since))
  checkProofs(line)
  return line
}

function proofsOf(
  record: Record<string, unknown>,
  sources: ReadonlyMap<string, Source>,
  proofs: ProofReaders,
  since: string,
): Partial<Proofs> {
  const all: Proofs = { credentials: [], identityKeys: [], factors: [] }
  for (const field of proofs.fields) {
    const values = valuesOf(field, sources.get(field)?.(record))
    if (values.length === 0) continue
    try {
      const { credentials = [], identityKeys = [], factors = [] } = proofs.read(field, values, since)
      all.credentials = [...all.credentials, ...credentials]
      all.identityKeys = [...all.identityKeys, ...identityKeys]
      all.factors = [...new Set([...all.factors, ...factors])]
    } catch (error) {
      if (isNamed(error, 'InvalidArgumentError')) throw new BadValue(`${field}: ${error.message}`)
      throw error
    }
  }
  return all.credentials.length === 0 && all.identityKeys.length === 0 ? {} : all
}

/** In CSV, anything but plain text is JSON. */
function valuesOf(field: string, value: unknown): unknown[] {
  const values = [value].flat().map((each) => {
    if (typeof each !== 'string' || !/^\s*[[{]/.test(each)) return each
    const parsed = parseJson(each)
    if ('reason' in parsed) throw new BadValue(`${field}: ${parsed.reason}`)
    return parsed.value
  })
  return values.flat().filter((each) => !isEmpty(each))
}

/** The same checks as at enrollment. */
function checkProofs({ emailKey, isVerified, credentials = [], factors = [] }: ImportedLine): void {
  // Somebody who typed another person's address would lock its owner out of the account for good.
  if (factors.length > 0 && emailKey != null && isVerified !== true)
    throw new BadValue('isVerified: a second factor requires a verified address')
  if (factors.length === 0 && credentials.some(({ kind }) => kind === 'recovery-code'))
    throw new BadValue('recoveryCodes: require a second factor')
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function textOf(name: string, value: unknown): string | undefined {
  if (value === undefined) return undefined
  const text = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value
  if (typeof text !== 'string') throw new BadValue(`${name}: is not text`)
  if (!text.isWellFormed() || text.includes('\0'))
    throw new BadValue(`${name}: contains a character that cannot be stored`)
  if (Buffer.byteLength(text) > 1024) throw new BadValue(`${name}: is too long`)
  return text
}

/** A list, as JSON in CSV, or names separated by commas. */
function rolesOf(value: unknown): string[] | undefined {
  if (value === undefined) return undefined
  const names = valuesOf('roles', value).flatMap((each) => (textOf('roles', each) ?? '').split(','))
  return [...new Set(names.map((name) => name.trim()).filter((name) => name !== ''))]
}

const yes = new Set(['true', 't', 'yes', 'y', '1'])
const no = new Set(['false', 'f', 'no', 'n', '0'])

function flagOf(name: string, value: unknown): boolean {
  const word = String(value).toLowerCase()
  if (yes.has(word)) return true
  if (no.has(word)) return false
  throw new BadValue(`${name}: must be true or false`)
}

/** Many systems store since when an address is verified. Other flags have no such: a date may say that a user is deleted. */
function isDate(value: unknown): boolean {
  return /^\d{4}-\d\d-\d\d/.test(String(value)) && !Number.isNaN(Date.parse(asIso(String(value).trim())))
}

/** RFC 3339, or database formats; without a zone it is UTC. Bare numbers are seconds or milliseconds since 1970. */
function timeOf(name: string, value: unknown): Date {
  const text = String(value).trim()
  const count = /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : null
  // Seconds until the year 5138; the same number of milliseconds is in 1973.
  const time = count === null ? Date.parse(asIso(text)) : Math.abs(count) < 1e11 ? count * 1000 : count
  if (!Number.isFinite(time) || Math.abs(time) > 8.64e15) throw new BadValue(`${name}: is not a time`)
  return new Date(Math.trunc(time))
}

function asIso(text: string): string {
  const [, date, clock, zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|UTC|[+-]\d\d(?::?\d\d)?)?)?$/i.exec(text) ??
    []
  if (date === undefined) return text.includes('-') ? '' : text
  const offset = /^(Z|UTC)$/i.test(zone)
    ? 'Z'
    : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`
  return `${date}T${clock ?? '00:00:00'}${offset}`
}
