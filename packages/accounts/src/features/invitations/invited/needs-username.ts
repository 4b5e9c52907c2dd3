import { isReplacementName } from '../../../identifiers/address-name.js'
import type { StoredUser } from '../../../user.js'
import { asksUsername } from '../../../users/ownership/choose-username.js'
import type { OwnershipOptions } from '../../../users/ownership/verbs.js'

/** Whether accepting takes a username. */
export function needsUsername(options: OwnershipOptions, user: StoredUser): boolean {
  const hasNone = options.names === 'required' && isReplacementName(user.username)
  return hasNone || asksUsername(options, 'proved-elsewhere', user)
}
