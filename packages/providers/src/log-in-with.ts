import {
  AccountsError,
  type EmailAddress,
  parseEmail,
  type StoredUser,
  type UserFields,
} from 'fastify-accounts'
import { mayAdd, type Proof } from 'fastify-accounts/features'
import { handOver } from './hand-over.js'
import { type Identity, identityKey, keysOf, mostIdentities, newIdentity, withUse } from './identity.js'
import type { Issuer, Login } from './issuer.js'
import { sealTokens } from './kept-tokens.js'
import type { Profile } from './provider.js'
import { checkSignUp, insertNamed, isDuplicate, ownFields, type SignUpDeps, signUpWith } from './sign-up.js'
import { isUnclaimed, vouchesFor, wishesOf } from './who.js'

/** Where an identity waits for the proof of an address: a mail is on its way, whoever has the address. */
export interface Waiting {
  identity: Identity
  address: EmailAddress
  fields: UserFields
  /** What the new user may be called. */
  wishes: readonly string[]
  methods: readonly string[]
}

/**
 * Finds or makes the account of who somebody is at a provider, by the rules of docs/providers.md: the identity first, and
 * the address only where the provider calls it verified and vouches for it.
 * @throws AccountsError ACCOUNTS_FORBIDDEN; ACCOUNTS_CONFLICT where the account has 25 identities; what `signUpWith` throws
 */
export async function logInWith(deps: SignUpDeps, issuer: Issuer, profile: Login): Promise<Proof | Waiting> {
  const { users } = deps
  const { provider, label } = issuer
  await checkAllowed(issuer, profile)
  const key = identityKey(profile)
  const { methods } = profile
  const holder = await users.findByIdentity(key)
  if (holder !== null) {
    const spend = (current: StoredUser) => {
      if (!current.identityKeys.includes(key)) throw new AccountsError('ACCOUNTS_INVALID_CREDENTIALS')
      return withUse(current, profile, (identity) => sealTokens(deps.vault, profile.tokens, identity))
    }
    return { user: holder, methods, spend }
  }
  const address = parseEmail(profile.email ?? '')
  if (address === null) return signUpWith(deps, provider, profile, null)
  const bare = newIdentity(profile, provider.name)
  const identity = { ...bare, ...sealTokens(deps.vault, profile.tokens) }
  if (!vouchesFor(provider, profile, address.emailKey)) return wait(deps, issuer, profile, address)

  const owner = await users.findByEmail(address.emailKey)
  if (owner === null) return signUpWith(deps, provider, profile, address)
  if (mayAdd(owner, address.emailKey)) {
    if (keysOf(owner).length >= mostIdentities) throw new AccountsError('ACCOUNTS_CONFLICT')
    const { emailKey } = address
    // A login that owes a second factor waits in a cookie, which has no room for tokens.
    const credential = owner.factors.length > 0 ? bare : identity
    const adds = { credential, identityKey: key, emailKey, mail: 'identity-added', label } as const
    return { user: owner, methods, adds }
  }
  if (!isUnclaimed(owner)) return wait(deps, issuer, profile, address)
  const claimed = await claim(deps, owner, identity, issuer, profile)
  return { user: claimed, methods }
}

/** @throws AccountsError ACCOUNTS_FORBIDDEN */
export async function checkAllowed({ provider }: Pick<Issuer, 'provider'>, profile: Profile): Promise<void> {
  const isAllowed = provider.allow === undefined || (await provider.allow(profile)) === true
  if (!isAllowed) throw new AccountsError('ACCOUNTS_FORBIDDEN')
}

/** The provider has proved the address, and nobody had before. */
async function claim(
  deps: SignUpDeps,
  owner: StoredUser,
  identity: Identity,
  { provider, label }: Issuer,
  profile: Profile,
): Promise<StoredUser> {
  const fields = ownFields(deps, provider, profile)
  const { emailKey } = owner
  const changed = await handOver(
    deps,
    owner,
    { identity, fields, wishes: wishesOf(profile) },
    (current) => isUnclaimed(current) && current.emailKey === emailKey,
    (later) => deps.postOffice.about('identity-added', later, { device: [label] }),
  ).catch((error: unknown) => {
    throw isDuplicate(error) ? new AccountsError('ACCOUNTS_CONFLICT') : error
  })
  if (changed === null) throw new AccountsError('ACCOUNTS_CONFLICT')
  return changed
}

/**
 * Has the address proved by mail. Nothing is told of it: where it has no account yet, there is one now that nobody can
 * log in to, so that the same is done for each address; what is mailed is decided after the answer. The name comes with
 * the proof: one that is taken from now on would tell that the address had no account.
 */
async function wait(
  deps: SignUpDeps,
  { provider, label }: Issuer,
  profile: Login,
  address: EmailAddress,
): Promise<Waiting> {
  const { postOffice } = deps
  await checkSignUp(deps)
  const fields = ownFields(deps, provider, profile)
  const known = { address, fields, isVerified: false }
  try {
    await insertNamed(deps, [], known, { credentials: [], identityKeys: [] })
  } catch (error) {
    if (!(error instanceof AccountsError && error.code === 'ACCOUNTS_EMAIL_TAKEN')) throw error
  }
  await postOffice.post([
    ...postOffice.toOwner('identity-sign-up', address.emailKey, { device: [label] }),
    ...postOffice.toOwner('identity-known', address.emailKey, { device: [label] }),
  ])
  const identity = newIdentity(profile, provider.name)
  return { identity, address, fields, wishes: wishesOf(profile), methods: profile.methods }
}
