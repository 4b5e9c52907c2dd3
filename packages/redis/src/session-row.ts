import { assertText, InvalidArgumentError, type Session } from 'fastify-accounts'

/**
 * What is stored of a session, in the order in which rows are read. Rows of older versions have only the first eight. An
 * optional one is left out at its default, or `''` if it was changed back to it. So rows stay small: Redis packs a hash
 * tightly if no value is longer than 64 bytes.
 */
export const properties = [
  'userId',
  'epoch',
  'createdAt',
  'lastSeenAt',
  'expiresAt',
  'details',
  'methods',
  'confirmedAt',
  'kind',
  'name',
  'generation',
  'seenGeneration',
  'baseGeneration',
  'nextBase',
  'settlesAt',
  'priorConfirmedAt',
  'confirmation',
] as const

type Property = (typeof properties)[number]

/** Every row has this many, the first ones; the others are optional. */
export const required = 5

/** Those that `change` may write. */
export const changeable: readonly Exclude<Property, 'userId' | 'createdAt' | 'kind'>[] = properties.filter(
  (name) => name !== 'userId' && name !== 'createdAt' && name !== 'kind',
)

/** What `change` compares, in the order in which the script is given it. */
export const compared = ['generation', 'seenGeneration', 'confirmation'] as const

/** The names of fields in Redis that differ: each session that is refreshed or confirmed has these. */
const shortNames: { readonly [Name in Property]?: string } = {
  generation: 'gen',
  seenGeneration: 'seenGen',
  baseGeneration: 'baseGen',
}

/** The field of the hash that holds a property. */
function fieldOf(name: Property): string {
  return shortNames[name] ?? name
}

/** The fields of the hash, in the order of the properties. */
export const fields: readonly string[] = properties.map(fieldOf)

/** The end of JavaScript's time. */
const endOfTime = 8.64e15

/** Those that are whole numbers, and the greatest that each can be. */
export const numbers: { readonly [Name in Property]?: number } = {
  epoch: Number.MAX_SAFE_INTEGER,
  createdAt: endOfTime,
  lastSeenAt: endOfTime,
  expiresAt: endOfTime,
  confirmedAt: endOfTime,
  generation: Number.MAX_SAFE_INTEGER,
  seenGeneration: Number.MAX_SAFE_INTEGER,
  baseGeneration: Number.MAX_SAFE_INTEGER,
  nextBase: Number.MAX_SAFE_INTEGER,
  settlesAt: endOfTime,
  priorConfirmedAt: endOfTime,
  confirmation: Number.MAX_SAFE_INTEGER,
}

/** The stored details, in this order: with their names, those of most clients would be longer than 64 bytes. */
const detailNames = ['browser', 'system', 'ip', 'isPersistent'] as const

/** How each is stored; `''` for its default. */
const toText: { [Name in Property]: (value: Session[Name], name: Name) => string } = {
  userId: toKey,
  epoch: toWhole,
  createdAt: toTime,
  lastSeenAt: toTime,
  expiresAt: toTime,
  details: toDetails,
  methods: toMethods,
  confirmedAt: toOptionalTime,
  kind: toKind,
  name: toName,
  generation: toCount,
  seenGeneration: toCount,
  baseGeneration: toCount,
  nextBase: (generation, name) => (generation === null ? '' : toWhole(generation, name)),
  settlesAt: toOptionalTime,
  priorConfirmedAt: toOptionalTime,
  confirmation: toCount,
}

/**
 * Fields and values of these properties. Whatever else is given is ignored.
 * @throws InvalidArgumentError if one is absent or invalid
 */
export function toRow<Name extends Property>(
  names: readonly Name[],
  session: { readonly [Each in Property]?: Session[Each] | undefined },
): [string, string][] {
  return names.map((name) => [fieldOf(name), toText[name](session[name] as Session[Name], name)])
}

function toKey(value: string, name: string): string {
  assertText(name, value)
  return value
}

/** Milliseconds since 1970, UTC, as Redis keeps them. */
export function toTime(value: unknown, name: string): string {
  if (!(value instanceof Date) || Number.isNaN(value.getTime())) {
    throw new InvalidArgumentError(`${name} must be a valid Date`)
  }
  return String(value.getTime())
}

function toOptionalTime(time: Date | null, name: string): string {
  return time === null ? '' : toTime(time, name)
}

function toWhole(value: unknown, name: string): string {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw new InvalidArgumentError(`${name} must be a whole number`)
  }
  return String(value)
}

function toCount(value: unknown, name: string): string {
  return value === 0 ? '' : toWhole(value, name)
}

/** A list as JSON, or `''` for none, as in older sessions. */
function toDetails(details: Session['details']): string {
  if (typeof details !== 'object') throw new InvalidArgumentError('details must be an object or null')
  return details === null ? '' : JSON.stringify(detailNames.map((name) => details[name]))
}

/** Words with spaces between them, a space for none. */
function toMethods(methods: Session['methods']): string {
  if (!(Array.isArray(methods) && methods.every(isWord))) {
    throw new InvalidArgumentError('methods must be words')
  }
  return methods.join(' ') || ' '
}

function isWord(method: unknown): boolean {
  return typeof method === 'string' && /^[!-~]+$/.test(method)
}

function toKind(kind: Session['kind']): string {
  if (kind !== 'cookie' && kind !== 'token') {
    throw new InvalidArgumentError("kind must be 'cookie' or 'token'")
  }
  return kind === 'cookie' ? '' : kind
}

/** As JSON, so an empty name differs from none. */
function toName(name: Session['name']): string {
  if (name !== null && typeof name !== 'string') {
    throw new InvalidArgumentError('name must be a string or null')
  }
  return name === null ? '' : JSON.stringify(name)
}

/** The session of a row as Redis returned it; `null` if the row is absent, expired or unreadable, as for the scripts. */
export function toSession(id: unknown, row: readonly unknown[]): Session | null {
  const [userId, epoch, createdAt, lastSeenAt, expiresAt, ...others] = row
  const [details, methods, confirmedAt, kind, name, ...more] = others
  const [generation, seenGeneration, baseGeneration, nextBase, settlesAt, priorConfirmedAt, confirmation] =
    more
  if (typeof id !== 'string' || !isText(userId) || (isText(kind) && kind !== 'token')) return null
  if (!isText(methods)) return null
  const session: Session = {
    id,
    kind: isText(kind) ? 'token' : 'cookie',
    name: fromName(name),
    userId,
    epoch: fromNumber(epoch),
    createdAt: new Date(fromNumber(createdAt)),
    lastSeenAt: new Date(fromNumber(lastSeenAt)),
    expiresAt: new Date(fromNumber(expiresAt)),
    details: fromDetails(details),
    methods: methods.split(' ').filter(isWord),
    confirmedAt: fromTime(confirmedAt),
    priorConfirmedAt: fromTime(priorConfirmedAt),
    confirmation: fromCount(confirmation),
    generation: fromCount(generation),
    seenGeneration: fromCount(seenGeneration),
    baseGeneration: fromCount(baseGeneration),
    nextBase: isText(nextBase) ? fromNumber(nextBase) : null,
    settlesAt: fromTime(settlesAt),
  }
  return isReadable(session) && session.expiresAt.getTime() > Date.now() ? session : null
}

/** An optional one at its default is absent or `''`. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function fromNumber(value: unknown): number {
  return isText(value) && /^-?\d+$/.test(value) ? Number(value) : Number.NaN
}

function fromTime(value: unknown): Date | null {
  return isText(value) ? new Date(fromNumber(value)) : null
}

function fromCount(value: unknown): number {
  return isText(value) ? fromNumber(value) : 0
}

function fromDetails(value: unknown): Session['details'] {
  try {
    const [browser, system, ip, isPersistent] = JSON.parse(String(value))
    return { browser, system, ip, isPersistent }
  } catch {
    return null
  }
}

function fromName(value: unknown): Session['name'] {
  try {
    const name: unknown = isText(value) ? JSON.parse(value) : null
    return typeof name === 'string' ? name : null
  } catch {
    return null
  }
}

function isReadable(session: Session): boolean {
  const { createdAt, lastSeenAt, expiresAt, confirmedAt, priorConfirmedAt, settlesAt } = session
  const { epoch, generation, seenGeneration, baseGeneration, nextBase, confirmation } = session
  return (
    [epoch, generation, seenGeneration, baseGeneration, nextBase ?? 0, confirmation].every(
      Number.isSafeInteger,
    ) &&
    [createdAt, lastSeenAt, expiresAt, confirmedAt, priorConfirmedAt, settlesAt].every(
      (time) => time === null || !Number.isNaN(time.getTime()),
    )
  )
}
