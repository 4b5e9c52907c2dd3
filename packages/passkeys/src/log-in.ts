import { AccountsError, type StoredUser } from 'fastify-accounts'
import { about, type Proof } from 'fastify-accounts/features'
import { type Assertion, checkAssertion } from './ceremony.js'
import type { PasskeyDeps } from './deps.js'
import { identityKey, type Passkey, passkeysOf, withChanged } from './passkey.js'
import type { AssertionBody } from './schemas.js'

/**
 * What a passkey proves whose authenticator has verified its owner: that the key is there (`pop`), and the person
 * (`user`). That is two factors (NIST SP 800-63B-4, AAL2), so no second one is asked for.
 */
export const methods: readonly string[] = ['pop', 'user', 'mfa']

/** What the audit trail says of an authenticator that may have been copied; the client is told what everybody is told. */
const cloned = 'PASSKEY_CLONED'

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
  const known = user === null ? undefined : passkeyOf(user, response.id)
  const checked = await checkAssertion(settings, response, known ?? null, (challenge) =>
    challenges.open(challenge, ['login'], '', browser),
  )
  return about(user, async () => {
    if (checked === null || user === null) throw new AccountsError('ACCOUNTS_INVALID_CREDENTIALS')
    const { assertion, challenge } = checked
    const use = (current: StoredUser) => changesOf(current, response.id, assertion, note)
    // What would be refused anyway leaves no row behind.
    use(user)
    if (!(await spend(`passkey:${challenge.id}`, challenge.expiresAt)))
      throw new AccountsError('ACCOUNTS_INVALID_CREDENTIALS')
    return { user, methods, spend: use }
  })
}

function passkeyOf(user: StoredUser, id: string): Passkey | undefined {
  return passkeysOf(user).find((each) => each.id === id && each.use === 'login')
}

/**
 * What is noted of a passkey that was used (WebAuthn L3 section 7.2 steps 20 to 25).
 * @throws AccountsError ACCOUNTS_INVALID_CREDENTIALS where its counter did not grow, or it became another kind of passkey
 */
function changesOf(
  user: StoredUser,
  id: string,
  { counter, backupEligible, backedUp }: Assertion,
  note: (reason: string) => void,
): Pick<StoredUser, 'credentials'> {
  const passkey = passkeyOf(user, id)
  const isCloned = passkey !== undefined && passkey.counter > 0 && counter <= passkey.counter
  if (isCloned) note(cloned)
  if (passkey === undefined || isCloned || passkey.backupEligible !== backupEligible)
    throw new AccountsError('ACCOUNTS_INVALID_CREDENTIALS')
  return withChanged(user, passkey, { counter, backedUp, lastUsedAt: new Date().toISOString() })
}
