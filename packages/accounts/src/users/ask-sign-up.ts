import type { Deps } from '../deps.js'
import type { EmailAddress } from '../identifiers/email.js'
import { type Granted, nothingGranted, type SignUpAttempt } from '../seams/before.js'
import { type Client, clientFacts } from '../sessions/client.js'

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

/** Of an address, to compare with. */
export const domainOf = ({ emailKey }: EmailAddress): string => emailKey.slice(emailKey.lastIndexOf('@') + 1)
