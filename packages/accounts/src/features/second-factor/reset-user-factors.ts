import type { Deps } from '../../deps.js'
import { AccountsError, changedMeanwhile } from '../../errors.js'
import { sameRights } from '../../options/privileges.js'
import type { MailKind } from '../../seams/mailer.js'
import { accountUser, type Credential, type StoredUser, type UserChanges } from '../../user.js'
import { type Actor, withPermission } from '../../users/change.js'
import { withoutFactors } from './factors/credentials.js'

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
 * Removes all second factors of a user, for who may do it. Passkeys are also removed, except those that are the last way to
 * log in.
 * @param mail the kind of email that tells the owner; `undefined` if no feature has one
 * @throws AccountsError ACCOUNTS_FORBIDDEN, ACCOUNTS_NOT_FOUND, ACCOUNTS_CONFLICT
 */
export async function resetUserFactors(
  deps: Pick<Deps, 'users' | 'options' | 'postOffice' | 'hasWayIn'>,
  actor: Actor,
  id: string,
  mail: MailKind | undefined,
): Promise<FactorsReset> {
  const asker = actor === 'host' ? actor : accountUser(actor)
  const postOffice = actor === 'host' ? deps.postOffice : deps.postOffice.byStaff()
  return withPermission(deps, asker, { id, actions: ['resetFactors'] }, async (target) => {
    // To remove their own, staff must give it: a browser left open must not be enough.
    if (actor !== 'host' && target.id === actor.id)
      throw new AccountsError('ACCOUNTS_FORBIDDEN', { reason: 'own_account' })
    let before = target
    const left = await deps.users.change(
      target,
      (current) => {
        if (actor !== 'host' && !sameRights(current, target)) throw changedMeanwhile()
        before = current
        return withoutAny(current, deps.hasWayIn)
      },
      { messages: (later) => (mail === undefined ? [] : postOffice.about(mail, later)) },
    )
    if (left === null) throw new AccountsError('ACCOUNTS_NOT_FOUND')
    return resetOf(before, left)
  })
}

/** Removes all factors, and passkeys except those that are the last way to log in; `{}` if there is nothing to remove. */
function withoutAny(current: StoredUser, hasWayIn: Deps['hasWayIn']): UserChanges {
  const { factors, credentials } = withoutFactors(current)
  const without = (isGone: (each: Credential) => boolean) => {
    const gone = new Set(credentials.filter(isGone).map(({ kind, id }) => `${kind}:${id}`))
    return {
      factors,
      credentials: credentials.filter((each) => !isGone(each)),
      identityKeys: current.identityKeys.filter((key) => !gone.has(key)),
    }
  }
  const isPasskey = ({ kind }: Credential): boolean => kind === 'passkey'
  const bare = without(isPasskey)
  const left = hasWayIn({ ...current, ...bare })
    ? bare
    : without((each) => isPasskey(each) && each.use !== 'login')
  const isSame = current.factors.length === 0 && left.credentials.length === current.credentials.length
  return isSame ? {} : left
}

function resetOf(before: StoredUser, left: StoredUser): FactorsReset {
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
