import { AccountsError, type EmailAddress, parseEmail, type StoredUser } from 'fastify-accounts'
import {
  addressAlone,
  type Client,
  createOrPretend,
  mayAdd,
  type Proof,
  replacementName,
} from 'fastify-accounts/features'
import { askRule } from './ask-rule.js'
import type { ProviderDeps } from './deps.js'
import type { Return } from './flow-return.js'
import { type HandOverDeps, handOver } from './hand-over.js'
import { identityKey, keysOf, mostIdentities, newIdentity, useOf, withUse } from './identity.js'
import { sealTokens } from './kept-tokens.js'
import type { Newcomer } from './newcomer.js'
import type { PendingIdentity } from './pending-identity.js'
import { checkSignUp, type SignUpDeps, signUpWith } from './sign-up.js'
import { mayBeTaken, vouchesFor, wishesOf } from './who.js'

type LogInDeps = SignUpDeps & HandOverDeps & Pick<ProviderDeps, 'pendingIdentities' | 'claims' | 'events'>

/**
 * Finds or creates the account for an identity at a provider, by the rules of docs/providers.md: the identity first, and
 * the address only if the provider calls it verified and vouches for it.
 * @returns the proof; or an identity sealed for the browser to keep. That one either waits for an emailed proof of its
 * address, whether or not the address has an account, or for the person who proved it to say whether `owner` is theirs
 * @throws AccountsError ACCOUNTS_CONFLICT if the account has 25 identities; ACCOUNTS_INVALID_INPUT if
 * a waiting identity is too long for a cookie; what `signUpWith` throws
 */
export async function logInWith(
  deps: LogInDeps,
  client: Client,
  back: Return,
): Promise<Proof | { waiting: string } | { claim: string; owner: StoredUser }> {
  const { users } = deps
  const { issuer, flow, profile } = back
  const { provider, label } = issuer
  const key = identityKey(profile)
  const { methods } = profile
  const holder = await users.findByIdentity?.(key)
  if (holder) {
    const spend = (current: StoredUser) => {
      if (!current.identityKeys.includes(key))
        throw new AccountsError('ACCOUNTS_INVALID_CREDENTIALS', { reason: 'changed_meanwhile' })
      return withUse(current, useOf(profile), (identity) => sealTokens(deps.vault, profile.tokens, identity))
    }
    return { user: holder, methods, spend }
  }
  const address = parseEmail(profile.email ?? '')
  if (address === null) return signUpWith(deps, client, back, null)
  const bare = newIdentity(profile, provider.name)
  const identity = { ...bare, ...sealTokens(deps.vault, profile.tokens) }
  if (!vouchesFor(provider, profile, address.emailKey)) return wait(deps, client, back, address)

  const owner = await users.findByEmail(address.emailKey)
  if (owner === null) return signUpWith(deps, client, back, address)
  const isToBeTaken = mayBeTaken(owner, deps.options)
  if (!isToBeTaken && mayAdd(owner, address.emailKey, deps.options)) {
    if (keysOf(owner).length >= mostIdentities)
      throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'limit_reached' })
    const { emailKey } = address
    // A login pending a second factor is kept in a cookie, one of an app in a URL: neither has room for tokens.
    const credential = owner.factors.length > 0 || flow.app !== undefined ? bare : identity
    const adds = { credential, identityKey: key, emailKey, mail: 'identity-added', label } as const
    return { user: owner, methods, adds }
  }
  if (!isToBeTaken) return wait(deps, client, back, address)
  const grant = await askRule(deps, client, back, address, { handsOver: true })
  const newcomer = { identity, address, ...grant, wishes: wishesOf(profile) }
  const taken = await claim(deps, client, owner, newcomer)
  if (taken !== 'used') return { user: taken, methods }
  const provenAt = profile.authenticatedAt?.getTime()
  // The cookie has no room for tokens.
  const pending = pendingOf(flow, { ...newcomer, identity: bare }, methods)
  return { claim: deps.claims.seal(client, { ...pending, provenAt }), owner }
}

/** The provider has proved the address, which its maker had not. */
async function claim(
  deps: HandOverDeps,
  client: Client,
  owner: StoredUser,
  newcomer: Newcomer,
): Promise<StoredUser | 'used'> {
  const { emailKey } = newcomer.address
  const mayTake = (current: StoredUser) => mayBeTaken(current, deps.options) && current.emailKey === emailKey
  const taken = await handOver(deps, client, owner, newcomer, mayTake)
  if (taken === null) throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'changed_meanwhile' })
  return taken
}

/**
 * Requires proof of the address by email. Nothing is revealed: if it has no account yet, one is created that nobody can
 * log in to, so every address causes the same work; the email is chosen at delivery. The name is set with the proof:
 * taking it now would reveal that the address had no account.
 */
async function wait(
  deps: LogInDeps,
  client: Client,
  back: Return,
  address: EmailAddress,
): Promise<{ waiting: string }> {
  const { options, postOffice } = deps
  const { issuer, flow, profile } = back
  const { provider, label } = issuer
  await checkSignUp(deps, client)
  const grant = await askRule(deps, client, back, address)
  const identity = newIdentity(profile, provider.name)
  const newcomer = { identity, address, ...grant, wishes: wishesOf(profile) }
  const waiting = deps.pendingIdentities.seal(client, pendingOf(flow, newcomer, profile.methods))
  const username = options.names === 'required' ? replacementName().username : null
  const input = { username, email: address.email, fields: grant.fields }
  // Its roles come with the proof, to the person who has the cookie.
  const granted = { fields: grant.grantedFields, roles: [] }
  const toOwner = () => [
    ...postOffice.toOwner('identity-sign-up', address.emailKey, { label }),
    ...postOffice.toOwner('identity-known', address.emailKey, { label }),
  ]
  // Without the email nobody can log in to it, and the next attempt sends one.
  await createOrPretend(
    deps,
    { input, proof: addressAlone, caller: 'stranger', granted, isGenerated: true },
    { free: toOwner, taken: toOwner },
  )
  return { waiting }
}

const pendingOf = (
  { remember, next, app }: Return['flow'],
  { address: { email }, ...newcomer }: Newcomer,
  methods: readonly string[],
): Omit<PendingIdentity, 'end'> => ({
  ...newcomer,
  email,
  methods,
  remember,
  next,
  ...(app && { app: true }),
})
