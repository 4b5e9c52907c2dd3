import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { AccountsError, type StoredUser } from 'fastify-accounts'
import { type FeatureCore, openSealed, type Proof, type SpendOnce, seal } from 'fastify-accounts/features'
import { withUse } from './identity.js'

/** How long an app has to send a code, in milliseconds. */
const lifetime = 60_000

/** A login that has ended in the browser, and has no session yet. It travels in a `Location`, so it is kept short. */
interface AppLogin extends Pick<Proof, 'methods'> {
  /** Works once. */
  id: string
  userId: string
  /** Whatever logs the user out ends it. */
  epoch: number
  provenAt: number
  /** The key of the identity that they logged in with. */
  key: string
  /** If the account gets that identity with the login. */
  adds?: Omit<NonNullable<Proof['adds']>, 'identityKey'>
  challenge: string
  end: number
}

/** Logins on their way to an app, each sealed in a code. */
export interface AppCodes {
  /** @param key of the identity that they logged in with */
  make(proof: Proof, key: string, challenge: string): string
  /**
   * Uses up a code.
   * @param verifier the text behind its challenge
   * @throws AccountsError ACCOUNTS_LOGIN_EXPIRED if it is another one, and for every code that is of no use
   */
  redeem(code: string, verifier: string): Promise<Proof>
}

/** @param keys the first seals, all open */
export function createAppCodes(
  { users }: Pick<FeatureCore, 'users'>,
  spend: SpendOnce,
  keys: readonly [Buffer, ...Buffer[]],
): AppCodes {
  return {
    make({ user, methods, adds, provenAt = new Date() }, key, challenge) {
      const { identityKey: _, ...added } = adds ?? { identityKey: null }
      const login: AppLogin = {
        id: randomBytes(16).toString('base64url'),
        userId: user.id,
        epoch: user.sessionEpoch,
        methods,
        provenAt: provenAt.getTime(),
        key,
        challenge,
        ...('credential' in added && { adds: added }),
        end: Date.now() + lifetime,
      }
      return seal(keys[0], JSON.stringify(login))
    },

    async redeem(code, verifier) {
      const text = openSealed(keys, code)
      const login = text === null ? null : (JSON.parse(text) as AppLogin)
      // The verifier first: who only has seen the code can't use it up.
      const isValid = login !== null && Date.now() < login.end && isBehind(verifier, login.challenge)
      if (!isValid || !(await spend(`app-code:${login.id}`, new Date(login.end))))
        throw new AccountsError('ACCOUNTS_LOGIN_EXPIRED')
      const { userId, epoch, methods, key, adds } = login
      const user = await users.findById(userId)
      if (user === null || user.sessionEpoch !== epoch)
        throw new AccountsError('ACCOUNTS_LOGIN_EXPIRED', { userId })
      const proof = { user, methods, provenAt: new Date(login.provenAt) }
      return adds === undefined
        ? { ...proof, spend: useOfKey(key) }
        : { ...proof, adds: { ...adds, identityKey: key } }
    },
  }
}

/** RFC 7636 section 4.6. */
function isBehind(verifier: string, challenge: string): boolean {
  const [digest, expected] = [Buffer.from(hash('sha256', verifier, 'base64url')), Buffer.from(challenge)]
  return digest.length === expected.length && timingSafeEqual(digest, expected)
}

/** The identity must still be the account's. */
const useOfKey =
  (key: string) =>
  (current: StoredUser): Pick<StoredUser, 'credentials'> => {
    if (!current.identityKeys.includes(key))
      throw new AccountsError('ACCOUNTS_INVALID_CREDENTIALS', { reason: 'changed_meanwhile' })
    return withUse(current, { key })
  }
