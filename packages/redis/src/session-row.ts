import { InvalidArgumentError, type Session } from 'fastify-accounts'

/** The fields of a session's hash, in the order in which rows are read. */
export const fields = [
  'userId',
  'epoch',
  'createdAt',
  'lastSeenAt',
  'expiresAt',
  'details',
  'methods',
  'confirmedAt',
] as const

/** The stored details, in this order: without the names each row stays below the size that Redis packs tightly (64 bytes). */
const detailNames = ['browser', 'system', 'ip', 'isPersistent'] as const

/** A list as JSON, or `''` for none, as in older sessions. */
export function toDetails(details: Session['details']): string {
  if (typeof details !== 'object') throw new InvalidArgumentError('details must be an object or null')
  return details === null ? '' : JSON.stringify(detailNames.map((name) => details[name]))
}

/** Words without spaces, or `''` for none, as in older sessions. */
export function toMethods(methods: Session['methods']): string {
  if (methods !== null && !methods.every((method) => /^[!-~]+$/.test(method))) {
    throw new InvalidArgumentError('methods must be words')
  }
  return methods === null ? '' : methods.join(' ')
}

/** Milliseconds since 1970, UTC, as Redis keeps them. */
export function toTime(name: string, value: unknown): string {
  if (!(value instanceof Date) || Number.isNaN(value.getTime())) {
    throw new InvalidArgumentError(`${name} must be a valid Date`)
  }
  return String(value.getTime())
}

export function toWhole(name: string, value: unknown): string {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
    throw new InvalidArgumentError(`${name} must be a whole number`)
  }
  return String(value)
}

/** The session of a row as Redis returned it; `null` if the row is absent, expired or unreadable. */
export function toSession(id: unknown, row: readonly unknown[]): Session | null {
  const [userId, epoch, createdAt, lastSeenAt, expiresAt, details, methods, confirmedAt] = row
  if (typeof id !== 'string' || typeof userId !== 'string') return null
  const session = {
    id,
    userId,
    epoch: fromNumber(epoch),
    createdAt: new Date(fromNumber(createdAt)),
    lastSeenAt: new Date(fromNumber(lastSeenAt)),
    expiresAt: new Date(fromNumber(expiresAt)),
    details: fromDetails(details),
    methods: typeof methods === 'string' && methods !== '' ? methods.split(' ') : null,
    confirmedAt: confirmedAt === '' || confirmedAt == null ? null : new Date(fromNumber(confirmedAt)),
  }
  return isReadable(session) && session.expiresAt.getTime() > Date.now() ? session : null
}

function fromDetails(value: unknown): Session['details'] {
  try {
    const [browser, system, ip, isPersistent] = JSON.parse(String(value))
    return { browser, system, ip, isPersistent }
  } catch {
    return null
  }
}

function fromNumber(value: unknown): number {
  return typeof value === 'string' && /^-?\d+$/.test(value) ? Number(value) : Number.NaN
}

function isReadable({ userId, epoch, createdAt, lastSeenAt, expiresAt }: Session): boolean {
  return (
    userId !== '' &&
    Number.isSafeInteger(epoch) &&
    [createdAt, lastSeenAt, expiresAt].every((time) => !Number.isNaN(time.getTime()))
  )
}
