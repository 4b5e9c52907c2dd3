import type { Deps } from '../../../deps.js'
import { isReplacementName } from '../../../identifiers/address-name.js'
import type { User } from '../../../user.js'

/** Whether accepting takes a username. */
export function needsUsername({ names }: Pick<Deps['options'], 'names'>, { username }: User): boolean {
  return names === 'required' && isReplacementName(username)
}
