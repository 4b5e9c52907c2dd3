import type { Deps } from '../../deps.js'
import { withoutAny } from '../../features/second-factor/factors/without-any.js'
import { findUserById } from '../../identifiers/user-id.js'
import type { MailKind } from '../../seams/mailer.js'
import type { StoredUser } from '../../user.js'

/** What was removed, and what wasn't. */
export interface FactorsReset {
  /** The second factors that were on, such as `['totp']`; none is on afterwards. */
  factors: readonly string[]
  /** How many authenticator apps were removed. */
  apps: number
  /** How many unused recovery codes were removed. */
  recoveryCodes: number
  /** How many passkeys were removed. */
  passkeys: number
  /** How many passkeys are left, because the user couldn't log in without them. */
  keptPasskeys: number
}

/**
 * Removes all second factors of a user for the host's own code, without calling `authorize`. Passkeys go too, except
 * those that are the last way to log in. `null` if there is no such user.
 * @param mail the kind of email that tells the owner; `undefined` if no feature has one
 * @throws AccountsError ACCOUNTS_CONFLICT
 */
export async function resetUserFactorsByHost(
  deps: Pick<Deps, 'users' | 'postOffice' | 'hasWayIn'>,
  userId: string,
  mail: MailKind | undefined,
): Promise<FactorsReset | null> {
  const user = await findUserById(deps.users, userId)
  if (user === null) return null
  let before: StoredUser = user
  const left = await deps.users.change(
    user,
    (current) => {
      before = current
      return withoutAny(current, deps.hasWayIn)
    },
    { messages: (later) => (mail === undefined ? [] : deps.postOffice.about(mail, later)) },
  )
  if (left === null) return null
  const removed = (kind: string): number => count(before, kind) - count(left, kind)
  return {
    factors: before.factors,
    apps: removed('totp'),
    recoveryCodes: removed('recovery-code'),
    passkeys: removed('passkey'),
    keptPasskeys: count(left, 'passkey'),
  }
}

function count({ credentials }: StoredUser, wanted: string): number {
  return credentials.filter(({ kind }) => kind === wanted).length
}
