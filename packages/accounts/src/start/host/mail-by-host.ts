import { AccountsError } from '../../errors.js'
import type { MountCore } from '../../http/feature-core.js'
import { findUserById } from '../../identifiers/user-id.js'
import type { JsonValue } from '../../user.js'

/** Most bytes of `data` as JSON: an outbox row holds far more, but none needs it. */
const longest = 16_384

export async function mailByHost(
  { users, options, postOffice }: MountCore,
  kind: string,
  userId: string,
  data: unknown,
): Promise<boolean> {
  if (!Object.hasOwn(options.ownEmails, kind)) throw new Error(`mail: the option ownEmails has no ${kind}`)
  const kept = data === undefined ? undefined : keptData(data)
  const user = await findUserById(users, userId)
  if (!user?.email || !user.isActive) return false
  if (!(await postOffice.post(postOffice.own(kind, userId, kept))))
    throw new AccountsError('ACCOUNTS_UNAVAILABLE', { cause: new Error('too many emails are waiting') })
  return true
}

/** The data as its template gets it. */
function keptData(data: unknown): JsonValue {
  const text = JSON.stringify(data)
  if (!survives(data))
    throw new Error('mail: data must be JSON: texts, finite numbers, booleans, null, lists and plain objects')
  if (Buffer.byteLength(text) > longest)
    throw new Error(`mail: data must be at most ${longest} bytes as JSON`)
  return JSON.parse(text)
}

/** Whether JSON keeps a value, but for properties that are `undefined`. */
function survives(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(survives)
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null)
    return ['string', 'boolean', 'object'].includes(typeof value)
  const isPlain = [Object.prototype, null].includes(Object.getPrototypeOf(value))
  return isPlain && Object.values(value).every((each) => each === undefined || survives(each))
}
