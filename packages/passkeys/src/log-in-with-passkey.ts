import { AccountsError, type StoredUser } from 'fastify-accounts'
import {
  attributed,
  type Client,
  isHiddenFromLogins,
  type Proof,
  withoutMisses,
} from 'fastify-accounts/features'
import { browserOf } from './browser.js'
import { checkAssertion } from './ceremony.js'
import type { PasskeyDeps } from './deps.js'
import { identityKey, passkeysOf } from './passkey.js'
import { noteRefusal, Refusal, unknownPasskey, usedChallenge } from './refusal.js'
import { assertionIn } from './response.js'
import type { AssertionBody } from './schemas.js'
import { changesOf } from './use.js'

/**
 * What a passkey proves if its authenticator verified its owner: possession of the key (`pop`), and the person
 * (`user`). That is two factors (NIST SP 800-63B-4, AAL2), so no second one is required.
 */
export const methods: readonly string[] = ['pop', 'user', 'mfa']

/**
 * Authenticates with a passkey. An unknown credential gets the response and the work of a wrong one, and so does one of
 * an account whose address nobody has proven.
 * @throws AccountsError ACCOUNTS_INVALID_CREDENTIALS
 */
export async function logInWithPasskey(
  deps: Pick<PasskeyDeps, 'settings' | 'challenges' | 'browser' | 'users' | 'options' | 'spend'>,
  body: AssertionBody,
  client: Client,
): Promise<Proof> {
  const { settings, challenges, users, options, spend } = deps
  const response = assertionIn(body)
  const found = (await users.findByIdentity?.(identityKey(response.id))) ?? null
  const user = found && isHiddenFromLogins(options, found) ? null : found
  const passkeys = user === null ? [] : passkeysOf(user)
  const passkey = passkeys.find(({ id, use }) => id === response.id && use === 'login')
  const requirements = { isIdentified: false, isFactor: false }
  const checked = await checkAssertion(settings, response, passkey ?? null, requirements, (challenge) =>
    challenges.open(challenge, ['login'], '', browserOf(deps, client)),
  )
  /** One error for every wrong assertion: it must not tell what is wrong with it. */
  const wrongPasskey = (refusal: Refusal): AccountsError => {
    noteRefusal(client, refusal)
    return new AccountsError('ACCOUNTS_INVALID_CREDENTIALS', { reason: 'wrong_passkey' })
  }
  return attributed(user, async () => {
    if (checked instanceof Refusal) throw wrongPasskey(checked)
    if (user === null) throw wrongPasskey(unknownPasskey())
    const { assertion, challenge } = checked
    const use = (current: StoredUser) => {
      const changes = changesOf(current, response.id, assertion)
      if (changes instanceof Refusal) throw wrongPasskey(changes)
      // It also counts as a factor: an app turned off by wrong codes works again.
      return { credentials: withoutMisses(changes.credentials) }
    }
    // A request that would be rejected anyway leaves no row behind.
    use(user)
    if (!(await spend(`passkey:${challenge.id}`, challenge.expiresAt))) throw wrongPasskey(usedChallenge())
    return { user, methods, spend: use }
  })
}
