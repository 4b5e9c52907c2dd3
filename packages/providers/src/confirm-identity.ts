import { AccountsError, parseEmail, type StoredUser } from 'fastify-accounts'
import type { Client, LinkParts, User } from 'fastify-accounts/features'
import type { ProviderDeps } from './deps.js'
import { type HandOverDeps, handOver } from './hand-over.js'
import { linkAsMaker } from './link-as-maker.js'
import type { PendingIdentity } from './pending-identity.js'
import { mayBeTaken } from './who.js'

/**
 * Finishes a sign-up at a provider that does not vouch for the address: the link proves the address, the browser's cookie
 * the identity. In the browser in which an account was made with that address, it stays and gets the identity.
 * @param isMaker whether the account was made in the browser that opens the link
 * @returns `taken`: the account, or `'used'` if they have to say whose the `owner` is
 * @throws AccountsError ACCOUNTS_INVALID_LINK, ACCOUNTS_OTHER_BROWSER, ACCOUNTS_IDENTITY_TAKEN, ACCOUNTS_CONFLICT;
 * RuleError
 */
export async function confirmIdentity(
  deps: HandOverDeps & Pick<ProviderDeps, 'links' | 'pendingIdentities' | 'signUp'>,
  client: Client,
  isMaker: (user: User) => boolean,
  parts: LinkParts,
): Promise<{ taken: StoredUser | 'used'; owner: StoredUser; pending: PendingIdentity }> {
  const { user, stillValid } = await deps.links.open('confirm-identity', parts)
  const pending = deps.pendingIdentities.read(client, user.emailKey)
  const address = parseEmail(pending?.email ?? '')
  if (pending === null || address === null)
    throw new AccountsError('ACCOUNTS_OTHER_BROWSER', { userId: user.id })
  const isMakers = isMaker(user)
  const mayTake = (current: StoredUser) =>
    stillValid(current) && mayBeTaken(current, deps.options) && isMaker(current) === isMakers
  const taken = isMakers
    ? await linkAsMaker(deps, client, user, pending.identity, mayTake)
    : await handOver(deps, client, user, { ...pending, address }, mayTake)
  if (taken === null) throw new AccountsError('ACCOUNTS_INVALID_LINK')
  return { taken, owner: user, pending }
}
