import { createHmac } from 'node:crypto'
import { readCode } from '../../../identifiers/typed-code.js'
import { InvalidArgumentError } from '../../../seams/store-errors.js'
import { type BetterAuthOpener, betterAuth } from './better-auth.js'

/** Letters and digits: shorter codes could be guessed. */
const leastLength = 8
/** All characters. */
const mostLength = 64
const mostCodes = 100

/**
 * Reads codes: strings, what better-auth encrypted after `better-auth:`, and the `data` of django-allauth.
 * @throws InvalidArgumentError
 */
export function readCodes(values: readonly unknown[], openBetterAuth: BetterAuthOpener): string[] {
  // Two that differ only in case or dashes are the same here.
  const codes = new Map(
    values.flatMap((value) => codesIn(value, openBetterAuth)).map((code) => [readCode(code), code]),
  )
  for (const code of codes.values()) {
    const { length } = readCode(code)
    if (length < leastLength || code.length > mostLength)
      throw new InvalidArgumentError(
        `has a code of ${length} characters; ${leastLength} to ${mostLength} are allowed`,
      )
  }
  if (codes.size > mostCodes)
    throw new InvalidArgumentError(`has ${codes.size} codes; at most ${mostCodes} are allowed`)
  return [...codes.values()]
}

function codesIn(value: unknown, openBetterAuth: BetterAuthOpener): string[] {
  if (typeof value === 'string') {
    if (!value.startsWith(betterAuth)) return value.split(/[\s,]+/).filter((code) => code !== '')
    const sealed = value.slice(betterAuth.length)
    // With storeBackupCodes: 'plain' they aren't encrypted.
    return listOf(sealed.startsWith('[') ? sealed : openBetterAuth(sealed))
  }
  if (typeof value !== 'object' || value === null) throw new InvalidArgumentError('is not a code')
  const {
    migrated_codes: migrated,
    seed,
    used_mask: used = 0,
    digits = 8,
    count = 10,
  } = value as Record<string, unknown>
  if (Array.isArray(migrated)) return migrated.map(String)
  if (typeof seed !== 'string') throw new InvalidArgumentError('is not a code')
  return allauthCodes(seed, { used: BigInt(String(used)), digits: Number(digits), count: Number(count) })
}

function listOf(json: string): string[] {
  let codes: unknown
  try {
    codes = JSON.parse(json)
  } catch {
    codes = null
  }
  if (!Array.isArray(codes)) throw new InvalidArgumentError('is not a list of codes')
  return codes.map(String)
}

/** django-allauth derives them from a seed: the MAC of each number in turn. A bit mask says which are used. */
function allauthCodes(
  seed: string,
  { used, digits, count }: { used: bigint; digits: number; count: number },
): string[] {
  let text = ''
  const codes: string[] = []
  for (let at = 0; at < count; at += 1) {
    text += `${String(at).padStart(3)},`
    const bytes = createHmac('sha1', seed)
      .update(text)
      .digest()
      .subarray(0, Math.floor(digits / 2))
    const code = BigInt(`0x${bytes.toString('hex')}`) % 10n ** BigInt(digits)
    if (((used >> BigInt(at)) & 1n) === 0n) codes.push(String(code).padStart(digits, '0'))
  }
  return codes
}
