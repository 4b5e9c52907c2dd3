import { changeUser } from '../../adapters/change-user.js'
import type { Deps } from '../../deps.js'
import { refusal } from '../../errors.js'
import type { MailKind } from '../../seams/mailer.js'
import { accountUser, type Credential, type StoredUser, type User, type UserChanges } from '../../user.js'
import { withPermission } from '../../users/change.js'
import { withoutFactors } from './factors/credentials.js'

/**
 * Removes all second factors of a user, by staff. Passkeys go too, except those that are the last way to log
 * in.
 * @throws AccountsError ACCOUNTS_FORBIDDEN, ACCOUNTS_NOT_FOUND, ACCOUNTS_CONFLICT
 */
export async function resetUserFactors(
  deps: Pick<Deps, 'users' | 'options' | 'postOffice' | 'hasWayIn'>,
  actor: User,
  id: string,
  mail: MailKind,
): Promise<void> {
  await withPermission(deps, accountUser(actor), { id, actions: ['manageUser'] }, async (target) => {
    // To remove their own, staff must give it: a browser left open must not be enough.
    if (target.id === actor.id) throw refusal('ACCOUNTS_FORBIDDEN')
    const found = await deps.users.findById(target.id)
    if (found === null) throw refusal('ACCOUNTS_NOT_FOUND')
    const changed = await changeUser(
      deps.users,
      found,
      (current) => withoutAny(current, deps.hasWayIn),
      (later) => deps.postOffice.about(mail, later),
    )
    if (changed === null) throw refusal('ACCOUNTS_NOT_FOUND')
  })
}

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
