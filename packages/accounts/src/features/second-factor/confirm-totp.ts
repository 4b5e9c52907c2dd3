import type { Deps } from '../../deps.js'
import { AccountsError, fieldError, invalidInput } from '../../errors.js'
import { readCode } from '../../identifiers/typed-code.js'
import { factorState } from '../../logins/awaiting-factor.js'
import type { Client } from '../../sessions/client.js'
import { othersAfter } from '../../sessions/session-effect.js'
import { openSealed } from '../../tokens/seal.js'
import type { StoredUser, User, UserChanges } from '../../user.js'
import { changeOwn } from '../../users/own-record.js'
import { isTotp, mostApps, totpCredential } from './factors/credentials.js'
import { assertKept } from './factors/kept.js'
import { newRecoveryCodes } from './factors/recovery-codes.js'
import { findEnroller, type Setup, type StartedSetup } from './factors/setup.js'
import { stepOf } from './factors/totp.js'

/**
 * Turns an app on with its first code, which counts as used. The first factor ends all sessions and comes
 * with recovery codes.
 * @param from.mark names the session, which must be the one that started it
 * @returns the new recovery codes
 * @throws AccountsError ACCOUNTS_NOT_VERIFIED, ACCOUNTS_INVALID_INPUT, ACCOUNTS_CONFLICT
 * @throws Error if the user store doesn't keep what it was given
 */
export async function confirmTotp(
  deps: Pick<Deps, 'users' | 'vault' | 'postOffice'>,
  { keys }: Setup,
  { user, mark, client }: { user: User; mark: string; client: Client },
  { code, token, name }: { code: string; token: string; name?: string },
): Promise<string[]> {
  const { users, vault, postOffice } = deps
  const found = await findEnroller(deps, user)
  const [id, from, state, secret, end]: StartedSetup = JSON.parse(openSealed(keys, token) ?? '[""]')
  const isAlive = id === user.id && from === mark && Date.now() < end && factorState(found) === state
  if (!isAlive) throw invalidInput(fieldError('token', 'invalid'))
  const step = await stepOf(secret, readCode(code))
  if (step === null) throw invalidInput(fieldError('code', 'incorrect', { text: 'factor_incorrect' }))

  const isFirst = found.factors.length === 0
  // Existing ones stay valid with another app.
  const fresh = isFirst ? newRecoveryCodes(vault) : { codes: [], credentials: [] }
  const added = [totpCredential(vault, { secret, step, name }), ...fresh.credentials]
  const changesFor = (current: StoredUser): UserChanges | null => {
    if (factorState(current) !== state) return null
    if (current.credentials.filter(isTotp).length >= mostApps)
      throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'limit_reached' })
    return {
      factors: [...new Set([...current.factors, 'totp'])],
      credentials: [...current.credentials, ...added],
      // Earlier sessions and marked devices have never given a second factor.
      ...(isFirst && { sessionEpoch: current.sessionEpoch + 1, resetEpoch: current.resetEpoch + 1 }),
    }
  }
  const changed = await changeOwn(deps, found, user, changesFor, {
    messages: (later) => postOffice.about('factor-added', later),
    sessions: (later, before) => ({
      own: 'continue',
      others: othersAfter(later, before),
      client,
      methods: ['otp', 'mfa'],
      // Anyone who has the session may choose its secret.
      since: Number.POSITIVE_INFINITY,
    }),
  })
  await assertKept(users, changed, 'totp', added)
  return fresh.codes
}
