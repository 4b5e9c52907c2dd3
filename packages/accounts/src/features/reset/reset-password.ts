import type { Deps } from '../../deps.js'
import type { RememberedDevices } from '../../logins/remembered-devices.js'
import type { Client } from '../../sessions/client.js'
import type { LinkParts, Purpose } from '../../tokens/email-link.js'
import { changeByLink } from '../../users/change-by-link.js'
import { type NewPasswordChoice, type ResetDeps, type ResetDone, resetByProof } from './reset-by-proof.js'

/** Whether the link was mailed, or made by `createPasswordLink`. */
export const resetPurposes = ['reset-password', 'password-link'] as const satisfies Purpose[]

/**
 * Sets a new password with a valid link.
 * @throws AccountsError ACCOUNTS_INVALID_LINK; ACCOUNTS_INVALID_INPUT and RuleError, after which the link is still valid
 */
export async function resetPassword(
  deps: ResetDeps & Pick<Deps, 'users' | 'links'>,
  devices: RememberedDevices,
  client: Client,
  parts: LinkParts,
  choice: NewPasswordChoice,
): Promise<ResetDone> {
  const link = await deps.links.open(resetPurposes, parts)
  const proof = {
    user: link.user,
    isMailed: link.purpose === 'reset-password',
    use: changeByLink.bind(null, deps, link),
  }
  return resetByProof(deps, devices, client, proof, choice)
}
