import type { Deps } from '../../../deps.js'
import type { Credential, StoredUser, UserChanges } from '../../../user.js'
import { withoutFactors } from './credentials.js'

/** Removes all factors, and passkeys except those that are the last way to log in; `{}` if there is nothing to remove. */
export function withoutAny(current: StoredUser, hasWayIn: Deps['hasWayIn']): UserChanges {
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
