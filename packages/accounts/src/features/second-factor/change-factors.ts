import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import { type Factor, withoutFactor } from '../../logins/factor.js'
import { isRememberedDevice } from '../../logins/remembered-devices.js'
import type { Client } from '../../sessions/client.js'
import { othersAfter } from '../../sessions/session-effect.js'
import type { Credential, StoredUser, User, UserChanges } from '../../user.js'
import { changeOwn, ownRecord } from '../../users/own-record.js'
import { assertKept } from './factors/kept.js'
import { newRecoveryCodes } from './factors/recovery-codes.js'
import { findEnroller } from './factors/setup.js'

/**
 * Turns passkeys on or off as a second factor after a password. The first factor ends all sessions and comes
 * with recovery codes; turning off the last one removes them. The passkeys themselves stay.
 * @returns the new recovery codes
 * @throws AccountsError ACCOUNTS_NOT_VERIFIED; ACCOUNTS_CONFLICT if there is no passkey
 * @throws Error if the user store doesn't keep what it was given
 */
export async function changeFactors(
  deps: Pick<Deps, 'users' | 'vault' | 'postOffice'> & { factors: readonly Factor[] },
  user: User,
  { passkeys }: { passkeys: boolean },
  client: Client,
): Promise<string[]> {
  const { users, vault, postOffice, factors } = deps
  // A factor of this mount.
  if (passkeys && !factors.some(({ kind }) => kind === 'passkey')) throw noPasskey()
  const found = passkeys ? await findEnroller(deps, user) : await ownRecord(deps, user)
  const fresh = newRecoveryCodes(vault)
  let before = found
  const changesFor = (current: StoredUser): UserChanges => {
    before = current
    if (current.factors.includes('passkey') === passkeys) return {}
    return passkeys ? turnedOn(current, fresh.credentials) : withoutFactor(current, 'passkey')
  }
  const changed = await changeOwn(deps, found, user, changesFor, {
    messages: (later) => postOffice.about(passkeys ? 'factor-added' : 'factor-removed', later),
    // A passkey was given when it was added, so what this session has proved stays the same.
    sessions: (later, former) => ({
      own: 'continue',
      others: othersAfter(later, former),
      client,
      methods: [],
    }),
  })
  const isNew = passkeys && !before.factors.includes('passkey')
  const added = isNew && !hasCodes(before) ? fresh : { codes: [], credentials: [] }
  if (isNew) await assertKept(users, changed, 'passkey', added.credentials)
  return added.codes
}

/** Users who have used up their recovery codes get new ones as well. */
function turnedOn(current: StoredUser, codes: readonly Credential[]): UserChanges {
  if (!current.credentials.some(({ kind }) => kind === 'passkey')) throw noPasskey()
  const others = current.credentials.filter((each) => !isRememberedDevice(each))
  return {
    factors: [...current.factors, 'passkey'],
    credentials: hasCodes(current) ? others : [...others, ...codes],
    // Earlier sessions and marked devices have never given a second factor.
    ...(current.factors.length === 0 && {
      sessionEpoch: current.sessionEpoch + 1,
      resetEpoch: current.resetEpoch + 1,
    }),
  }
}

const noPasskey = (): AccountsError => new AccountsError('ACCOUNTS_CONFLICT', { reason: 'no_passkey' })

function hasCodes({ credentials }: Pick<StoredUser, 'credentials'>): boolean {
  return credentials.some(({ kind }) => kind === 'recovery-code')
}
