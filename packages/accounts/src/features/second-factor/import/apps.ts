import { Secret } from 'otpauth'
import { InvalidArgumentError } from '../../../seams/store-errors.js'
import { type BetterAuthOpener, betterAuth } from './better-auth.js'

/** An authenticator app as stored by another system. */
interface ImportedApp {
  /** In base32. */
  secret: string
  /** The last step whose code was accepted there; 0 if unknown. */
  step: number
  /** `undefined` if it had none. */
  name?: string | undefined
  /** RFC 3339; `null` if unknown. */
  createdAt: string | null
}

/** In bytes: what RFC 4226 section 4 requires. */
const leastSecret = 16

/**
 * Reads base32, an `otpauth:` URI, what better-auth encrypted after `better-auth:`, a device of django-otp,
 * or an object with `secret`. `null` if it was never confirmed.
 * @throws InvalidArgumentError
 */
export function readApp(value: unknown, openBetterAuth: BetterAuthOpener): ImportedApp | null {
  if (typeof value === 'string') return readText(value.trim(), openBetterAuth)
  if (typeof value !== 'object' || value === null) throw new InvalidArgumentError('is not a secret')
  const row = value as Record<string, unknown>
  if (row.confirmed === false) return null
  if (typeof row.key !== 'string') {
    checkKind({ digits: row.digits, period: row.period, algorithm: row.algorithm })
    return { secret: fromBase32(String(row.secret ?? '')), step: 0, ...labelsOf(row) }
  }
  checkKind({ digits: row.digits, period: row.step })
  if (Number(row.t0 ?? 0) !== 0) throw new InvalidArgumentError('does not count from 1970')
  // If its clock is off by more than a step, its codes are never right here.
  if (Math.abs(Number(row.drift ?? 0)) > 1)
    throw new InvalidArgumentError('has a clock that is off by more than 30 s')
  const key = Buffer.from(row.key, 'hex')
  if (key.length * 2 !== row.key.length) throw new InvalidArgumentError('is not a hexadecimal key')
  const last = Number(row.last_t ?? 0)
  return {
    secret: toBase32(key),
    step: Number.isSafeInteger(last) && last > 0 ? last : 0,
    ...labelsOf(row),
  }
}

function labelsOf({ name, created_at }: Record<string, unknown>): Pick<ImportedApp, 'name' | 'createdAt'> {
  const label = typeof name === 'string' ? name.trim().slice(0, 100) : ''
  return { name: label || undefined, createdAt: timeOf(created_at) }
}

function readText(text: string, openBetterAuth: BetterAuthOpener): ImportedApp {
  if (text.startsWith(betterAuth)) {
    const secret = openBetterAuth(text.slice(betterAuth.length))
    // Its own secrets are used as plain text.
    const isBase32 = secret.startsWith('base32:')
    return {
      secret: isBase32 ? fromBase32(secret.slice(7)) : toBase32(Buffer.from(secret)),
      step: 0,
      createdAt: null,
    }
  }
  if (!text.startsWith('otpauth:')) return { secret: fromBase32(text), step: 0, createdAt: null }
  if (!URL.canParse(text) || !/^otpauth:\/\/totp\//i.test(text))
    throw new InvalidArgumentError('is not an otpauth://totp/ URL')
  const { searchParams } = new URL(text)
  const [digits, period, algorithm] = ['digits', 'period', 'algorithm'].map((name) => searchParams.get(name))
  checkKind({ digits, period, algorithm })
  return { secret: fromBase32(searchParams.get('secret') ?? ''), step: 0, createdAt: null }
}

/** The settings that every app supports, and that codes are checked with. */
function checkKind({ digits, period, algorithm }: Record<string, unknown>): void {
  if (Number(digits ?? 6) !== 6)
    throw new InvalidArgumentError(`has codes of ${digits} digits; only 6 are supported`)
  if (Number(period ?? 30) !== 30)
    throw new InvalidArgumentError(`has a new code every ${period} seconds; only 30 are supported`)
  if (!/^(hmac-?)?sha-?1$/i.test(String(algorithm ?? 'sha1')))
    throw new InvalidArgumentError(`has codes by ${algorithm}; only SHA1 is supported`)
}

function timeOf(value: unknown): string | null {
  const time = typeof value === 'string' ? new Date(value) : null
  return time === null || Number.isNaN(time.getTime()) ? null : time.toISOString()
}

function fromBase32(text: string): string {
  const letters = text.replace(/[\s=-]/g, '').toUpperCase()
  if (!/^[A-Z2-7]+$/.test(letters)) throw new InvalidArgumentError('is not a base32 secret')
  return toBase32(Buffer.from(Secret.fromBase32(letters).bytes))
}

function toBase32(key: Buffer): string {
  if (key.length < leastSecret)
    throw new InvalidArgumentError(`has a secret of ${key.length * 8} bits; at least 128 are required`)
  return new Secret({ buffer: Uint8Array.from(key).buffer }).base32
}
