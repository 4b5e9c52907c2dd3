import type { Deps } from '../deps.js'
import { AccountsError } from '../errors.js'
import type { EmailAddress } from '../identifiers/email.js'
import { type Granted, nothingGranted, type SignUpAttempt } from '../seams/before.js'
import type { Client } from '../sessions/client.js'
import { clientFacts } from '../sessions/client-facts.js'
import type { StoredUser } from '../user.js'
import { invitedWith, isLapsed } from './invitation.js'

/** What is known of a sign-up. */
export interface SignUpFacts
  extends Pick<SignUpAttempt, 'method' | 'fields'>,
    Partial<Pick<SignUpAttempt, 'provider' | 'username' | 'roles' | 'transient' | 'actor'>> {
  address: EmailAddress | null
}

/**
 * Asks the app's rule about a sign-up. Call it before anything is looked up, or else only for somebody who has proven the
 * address: it must not tell who has an account.
 * @param client `null` if the host's own code asks
 * @throws RuleError if it refuses; AccountsError ACCOUNTS_UNAVAILABLE
 */
export async function askSignUp(
  { rules }: Pick<Deps, 'rules'>,
  client: Client | null,
  {
    address,
    provider = null,
    username = null,
    roles = [],
    transient = {},
    actor = null,
    ...facts
  }: SignUpFacts,
  handsOver = false,
): Promise<Granted> {
  if (rules.signUp === undefined) return nothingGranted
  return rules.signUp({
    ...facts,
    provider,
    username,
    roles,
    transient,
    actor,
    handsOver,
    email: address?.email ?? null,
    domain: address && domainOf(address),
    client: client && clientFacts(client),
  })
}

/**
 * Asks it about somebody who proves the address of an account that nobody has proven before.
 * @param username the one that they choose. Default: that of the account
 * @returns nothing, without asking, if somebody has
 * @throws AccountsError ACCOUNTS_INVALID_LINK, or ACCOUNTS_INVALID_CODE for a code, if the account was made for an invitation
 * that has expired; RuleError
 */
export async function askHandOver(
  deps: Pick<Deps, 'rules'>,
  client: Client,
  method: SignUpAttempt['method'],
  user: StoredUser,
  username: string | null = user.username,
): Promise<Granted> {
  const { isVerified, email, emailKey } = user
  if (isVerified || email === null || emailKey === null) return nothingGranted
  if (isLapsed(user))
    throw new AccountsError(method === 'email-code' ? 'ACCOUNTS_INVALID_CODE' : 'ACCOUNTS_INVALID_LINK')
  const invited = invitedWith(user)
  const facts = { username, roles: invited.roles, fields: { ...user.fields, ...invited.fields } }
  return askSignUp(deps, client, { method, address: { email, emailKey }, ...facts }, true)
}

/** Of an address, to compare with. */
export const domainOf = ({ emailKey }: EmailAddress): string => emailKey.slice(emailKey.lastIndexOf('@') + 1)
