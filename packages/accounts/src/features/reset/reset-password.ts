import type { Deps } from '../../deps.js'
import type { Client } from '../../sessions/client.js'
import type { LinkParts, Purpose } from '../../tokens/email-link.js'
import type { StoredUser, User } from '../../user.js'
import {
  type ChooseDeps,
  choosePassword,
  makeKnown,
  type NewPasswordChoice,
  proofByLink,
  resetEventOf,
} from '../../users/choose-password.js'

/** Whether the link was mailed, or made by `createPasswordLink`. */
export const resetPurposes = ['reset-password', 'password-link'] as const satisfies Purpose[]

/**
 * Sets a new password with a valid link. One that the app's own code has handed over proves nothing about the address:
 * somebody who talked the support desk into it must not end the links in the owner's mailbox either.
 * @param isMaker whether the person who opens it has shown that they made this account
 * @throws AccountsError ACCOUNTS_INVALID_LINK; what `choosePassword` throws
 */
export async function resetPassword(
  deps: ChooseDeps & Pick<Deps, 'users' | 'links'>,
  client: Client,
  isMaker: (user: User) => boolean,
  parts: LinkParts,
  choice: NewPasswordChoice,
): Promise<StoredUser> {
  const link = await deps.links.open(resetPurposes, parts)
  const proof = proofByLink(deps, link, (user) => resetEventOf(link.purpose, isMaker(user)))
  return makeKnown(deps, client, await choosePassword(deps, client, proof, choice))
}
