import { type AccountsError, type ErrorCode, type ErrorReason, reasonText } from '../errors.js'
import type { Credential, StoredUser, User } from '../user.js'
import { isTurnedOff } from './factor.js'

type Asked = Pick<AccountsError, 'factors' | 'reason'>

/** It names at least what the account has. */
type AskedFor = Asked & { factors: readonly string[] }

/** In the order in which they are offered: a passkey can't be phished, and recovery codes are for emergencies. */
const preferred = ['passkey', 'totp']
const byPreference = (factors: readonly string[]): string[] => [
  ...preferred.filter((each) => factors.includes(each)),
  ...factors.filter((each) => !preferred.includes(each)),
]

/**
 * What completes a login of this account: the active factors, but no app whose codes have stopped working, and recovery
 * codes if any are left.
 */
export function completing({ factors, credentials }: StoredUser): AskedFor {
  const has = (kind: string, works: (each: Credential) => boolean = () => true) =>
    credentials.some((each) => each.kind === kind && works(each))
  const codes = has('recovery-code') ? ['recovery-code'] : []
  const working = factors.filter((each) => each !== 'totp' || has('totp', (app) => !isTurnedOff(app)))
  const left = [...byPreference(working), ...codes]
  return asking('ACCOUNTS_SECOND_FACTOR_REQUIRED', left.length > 0 ? left : factors)
}

/**
 * What confirms that a logged-in user is there.
 * @param proofs as `ownerProofs` returns them. Default: without a second factor, everything confirms
 */
export function confirming(
  { factors }: Pick<User, 'factors'>,
  proofs: readonly string[] | null = null,
): Asked {
  const all = proofs ?? (factors.length > 0 ? [...byPreference(factors), 'recovery-code'] : undefined)
  return all === undefined
    ? { factors: all, reason: undefined }
    : asking('ACCOUNTS_CONFIRMATION_REQUIRED', all)
}

/** The reason names what is asked for, so the text is true for the account. */
function asking(code: ErrorCode, factors: readonly string[]): AskedFor {
  const named = factors.length > 1 ? factors.filter((each) => each !== 'recovery-code') : factors
  const reason = named.join('_or_').replaceAll('-', '_')
  return { factors, reason: reasonText(code, reason) === undefined ? undefined : (reason as ErrorReason) }
}
