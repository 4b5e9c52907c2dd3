import type { InvitationTarget } from '../deps.js'
import type { MountCore } from '../http/feature-core.js'
import { add } from './compose.js'
import type { Feature } from './feature.js'

/**
 * What the features of a mount invite to, by word.
 * @throws Error with one line that names the option
 */
export function composeInvitationTargets(
  features: readonly Feature[],
  core: MountCore,
): Map<string, InvitationTarget> {
  const targets: Record<string, InvitationTarget> = {}
  for (const feature of features) {
    const target = feature.invitationTarget?.(core)
    if (target !== undefined) add(targets, { [target.word]: target }, 'the target of invitations', feature)
  }
  return new Map(Object.entries(targets))
}
