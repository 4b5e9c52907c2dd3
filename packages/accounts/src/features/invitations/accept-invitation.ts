import type { Deps } from '../../deps.js'
import { fieldError, invalidInput } from '../../errors.js'
import type { Client } from '../../sessions/client.js'
import type { LinkParts } from '../../tokens/email-link.js'
import type { StoredUser } from '../../user.js'
import {
  type ChooseDeps,
  choosePassword,
  type NewPasswordChoice,
  proofByLink,
} from '../../users/choose-password.js'
import { needsUsername } from './invited/needs-username.js'

/**
 * Accepts an invitation with its link, which proves the address: the account is theirs, with what the invitation gave.
 * What somebody else may have put there before is removed. Nobody is logged in.
 * @throws AccountsError ACCOUNTS_INVALID_LINK; what `choosePassword` throws
 */
export async function acceptInvitation(
  deps: ChooseDeps & Pick<Deps, 'users' | 'links'>,
  client: Client,
  parts: LinkParts,
  choice: NewPasswordChoice,
): Promise<StoredUser> {
  const link = await deps.links.open('invitation', parts)
  if (choice.username === undefined && needsUsername(deps.options, link.user))
    throw invalidInput(fieldError('username', 'required'))
  const proof = {
    ...proofByLink(deps, client, link, () => 'proved-elsewhere'),
    method: 'invitation',
  } as const
  return choosePassword(deps, client, proof, choice)
}
