import type { Deps } from '../../../deps.js'
import { AccountsError, invalidInput } from '../../../errors.js'
import type { LinkParts } from '../../../tokens/email-link.js'
import { checkUsernameFree } from '../../../users/free-lapsed.js'
import { usernameFaults } from '../../../users/ownership/choose-username.js'
import { ownershipOf } from '../../../users/ownership/states.js'
import { missingUsername } from './needs-username.js'
import { openInvitation } from './open-invitation.js'

/**
 * Rejects what `acceptInvitation` would reject, before an unneeded passkey is created.
 * @returns the name that the account will have, or its address
 * @throws AccountsError ACCOUNTS_INVALID_LINK, ACCOUNTS_LOGIN_REQUIRED, ACCOUNTS_INVALID_INPUT, ACCOUNTS_USERNAME_TAKEN
 */
export async function checkAcceptance(
  deps: Pick<Deps, 'links' | 'users' | 'options'>,
  parts: LinkParts,
  username: string | undefined,
): Promise<string> {
  const { invitation, owner } = await openInvitation(deps, parts)
  if (owner !== null && ownershipOf(owner) === 'proven') throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
  const faults = missingUsername(deps.options, owner, username)
  faults.push(...usernameFaults(invitation, username))
  if (faults.length > 0) throw invalidInput(...faults)
  await checkUsernameFree(deps, username)
  return username ?? invitation.email
}
