import { AccountsError, type StoredUser } from 'fastify-accounts'
import { about, type Proof, withoutMisses } from 'fastify-accounts/features'
import { checkAssertion } from './ceremony.js'
import type { PasskeyDeps } from './deps.js'
import { identityKey, passkeysOf } from './passkey.js'
import type { AssertionBody } from './schemas.js'
import { changesOf } from './use.js'

/**
 * What a passkey proves whose authenticator has verified its owner: that the key is there (`pop`), and the person
 * (`user`). That is two factors (NIST SP 800-63B-4, AAL2), so no second one is asked for.
 */
export const methods: readonly string[] = ['pop', 'user', 'mfa']

/**
 * Proves by a passkey whose account it is. A credential that nobody has gets the answer and the work of a wrong one.
 * @param browser what the browser's cookie says
 * @param note says why in the audit trail, where the client is not told
 * @throws AccountsError ACCOUNTS_INVALID_CREDENTIALS
 */
export async function logInWithPasskey(
  deps: Pick<PasskeyDeps, 'settings' | 'challenges' | 'users' | 'spend'>,
  response: AssertionBody,
  browser: string,
  note: (reason: string) => void,
): Promise<Proof> {
  const { settings, challenges, users, spend } = deps
  const user = await users.findByIdentity(identityKey(response.id))
  const passkeys = user === null ? [] : passkeysOf(user)
  const known = passkeys.find(({ id, use }) => id === response.id && use === 'login')
  const checked = await checkAssertion(settings, response, known ?? null, false, (challenge) =>
    challenges.open(challenge, ['login'], '', browser),
  )
  return about(user, async () => {
    if (checked === null || user === null) throw new AccountsError('ACCOUNTS_INVALID_CREDENTIALS')
    const { assertion, challenge } = checked
    const use = (current: StoredUser) => {
      const changes = changesOf(current, response.id, assertion, note)
      if (changes === null) throw new AccountsError('ACCOUNTS_INVALID_CREDENTIALS')
      // It counts as a factor too: an app that wrong codes have turned off is good again.
      return { credentials: withoutMisses(changes.credentials) }
    }
    // What would be refused anyway leaves no row behind.
    use(user)
    if (!(await spend(`passkey:${challenge.id}`, challenge.expiresAt)))
      throw new AccountsError('ACCOUNTS_INVALID_CREDENTIALS')
    return { user, methods, spend: use }
  })
}
