import type { Deps } from '../deps.js'
import type { EmailAddress } from '../identifiers/email.js'
import { type Granted, nothingGranted, type SignUpAttempt } from '../seams/before.js'
import type { Client } from '../sessions/client.js'
import { clientFacts } from '../sessions/client-facts.js'
import type { User } from '../user.js'

/** What is known of a sign-up. */
export interface Asked
  extends Pick<SignUpAttempt, 'method' | 'fields'>,
    Partial<Pick<SignUpAttempt, 'provider' | 'username' | 'transient' | 'actor'>> {
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
  { address, provider = null, username = null, transient = {}, actor = null, ...known }: Asked,
  handsOver = false,
): Promise<Granted> {
  if (rules.signUp === undefined) return nothingGranted
  return rules.signUp({
    ...known,
    provider,
    username,
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
 * @returns nothing, without asking, if somebody has
 */
export async function askHandOver(
  deps: Pick<Deps, 'rules'>,
  client: Client,
  method: SignUpAttempt['method'],
  { isVerified, email, emailKey, username, fields }: User,
): Promise<Granted> {
  if (isVerified || email === null || emailKey === null) return nothingGranted
  return askSignUp(deps, client, { method, address: { email, emailKey }, username, fields }, true)
}

/** Of an address, to compare with. */
export const domainOf = ({ emailKey }: EmailAddress): string => emailKey.slice(emailKey.lastIndexOf('@') + 1)
