import type { Deps } from '../../../deps.js'
import { AccountsError, type FieldError, fieldError, invalidInput } from '../../../errors.js'
import { isReplacementName } from '../../../identifiers/address-name.js'
import type { LinkParts } from '../../../tokens/email-link.js'
import type { StoredUser } from '../../../user.js'
import { checkUsernameFree } from '../../../users/free-lapsed.js'
import { usernameFaults } from '../../../users/ownership/choose-username.js'
import { asksUsername } from '../../../users/ownership/new-owners-choice.js'
import { isProven } from '../../../users/ownership/states.js'
import type { OwnershipOptions } from '../../../users/ownership/verbs.js'
import { checkMayJoin } from './check-may-join.js'
import { openInvitation } from './open-invitation.js'

/**
 * Rejects what `acceptInvitation` would reject, before an unneeded passkey is created.
 * @returns the name that the account will have, or its address
 * @throws AccountsError ACCOUNTS_INVALID_LINK, ACCOUNTS_LOGIN_REQUIRED, ACCOUNTS_FORBIDDEN, ACCOUNTS_INVALID_INPUT,
 * ACCOUNTS_USERNAME_TAKEN
 */
export async function checkAcceptance(
  deps: Pick<Deps, 'links' | 'users' | 'options' | 'invitationTargets'>,
  parts: LinkParts,
  username: string | undefined,
): Promise<string> {
  const { invitation, owner } = await openInvitation(deps, parts)
  if (isProven(owner)) throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
  if (owner === null) await checkMayJoin(deps, invitation)
  const faults = missingUsername(deps.options, owner, username)
  faults.push(...usernameFaults(invitation, username))
  if (faults.length > 0) throw invalidInput(...faults)
  await checkUsernameFree(deps, username)
  return username ?? invitation.email
}

/**
 * Whether accepting takes a username.
 * @param owner who has the address; `null` if nobody
 */
export function needsUsername(options: OwnershipOptions, owner: StoredUser | null): boolean {
  if (options.names !== 'required' || isProven(owner)) return false
  if (owner === null || isReplacementName(owner.username)) return true
  return asksUsername(options, 'proved-elsewhere', owner)
}

export function missingUsername(
  options: OwnershipOptions,
  owner: StoredUser | null,
  username: string | null | undefined,
): FieldError[] {
  return username === undefined && needsUsername(options, owner) ? [fieldError('username', 'required')] : []
}
