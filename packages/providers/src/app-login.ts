import { AccountsError, type StoredUser } from 'fastify-accounts'
import type { FeatureCore, Proof } from 'fastify-accounts/features'
import { withUse } from './identity.js'

/** A login that has ended in the browser, and has no session yet. */
export interface AppLogin extends Pick<Proof, 'methods'> {
  purpose: 'log-in'
  userId: string
  /** Whatever logs the user out ends it. */
  epoch: number
  provenAt: number
  /** The key of the identity that they logged in with. */
  key: string
  /** If the account gets that identity with the login. */
  adds?: Omit<NonNullable<Proof['adds']>, 'identityKey'>
}

/** @param key of the identity that they logged in with */
export function appLoginOf({ user, methods, adds, provenAt = new Date() }: Proof, key: string): AppLogin {
  const { identityKey: _, ...added } = adds ?? { identityKey: null }
  return {
    purpose: 'log-in',
    userId: user.id,
    epoch: user.sessionEpoch,
    methods,
    provenAt: provenAt.getTime(),
    key,
    ...('credential' in added && { adds: added }),
  }
}

/** @throws AccountsError ACCOUNTS_LOGIN_EXPIRED if the user is gone, or was logged out meanwhile */
export async function proofOf(
  { users }: Pick<FeatureCore, 'users'>,
  { userId, epoch, methods, provenAt, key, adds }: AppLogin,
): Promise<Proof> {
  const user = await users.findById(userId)
  if (user === null || user.sessionEpoch !== epoch)
    throw new AccountsError('ACCOUNTS_LOGIN_EXPIRED', { userId })
  const proof = { user, methods, provenAt: new Date(provenAt) }
  return adds === undefined
    ? { ...proof, spend: useOfKey(key) }
    : { ...proof, adds: { ...adds, identityKey: key } }
}

/** The identity must still be the account's. */
const useOfKey =
  (key: string) =>
  (current: StoredUser): Pick<StoredUser, 'credentials'> => {
    if (!current.identityKeys.includes(key))
      throw new AccountsError('ACCOUNTS_INVALID_CREDENTIALS', { reason: 'changed_meanwhile' })
    return withUse(current, { key })
  }
