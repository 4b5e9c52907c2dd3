import type { Deps } from '../../deps.js'
import type { RememberedDevices } from '../../logins/remembered-devices.js'
import type { Client } from '../../sessions/client.js'
import type { LinkParts, Purpose } from '../../tokens/email-link.js'
import type { User } from '../../user.js'
import { changeByLink } from '../../users/change-by-link.js'
import { resetEventOf } from '../../users/ownership/reset-event.js'
import { type NewPasswordChoice, type ResetDeps, type ResetDone, resetByProof } from './reset-by-proof.js'

/** Whether the link was mailed, or made by `createPasswordLink`. */
export const resetPurposes = ['reset-password', 'password-link'] as const satisfies Purpose[]

/**
 * Sets a new password with a valid link.
 * @param by.isMaker whether the person who opens it has shown that they made this account
 * @throws AccountsError ACCOUNTS_INVALID_LINK; ACCOUNTS_INVALID_INPUT and RuleError, after which the link is still valid
 */
export async function resetPassword(
  deps: ResetDeps & Pick<Deps, 'users' | 'links'>,
  devices: RememberedDevices,
  { client, isMaker }: { client: Client; isMaker: (user: User) => boolean },
  parts: LinkParts,
  choice: NewPasswordChoice,
): Promise<ResetDone> {
  const link = await deps.links.open(resetPurposes, parts)
  const proof = {
    user: link.user,
    eventFor: (user: User) => resetEventOf(link.purpose, isMaker(user)),
    use: changeByLink.bind(null, deps, link),
  }
  return resetByProof(deps, devices, client, proof, choice)
}
