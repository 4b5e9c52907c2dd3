import type { Deps } from '../../deps.js'
import { pendingAddressOf } from '../../notes.js'
import type { StoredUser } from '../../user.js'
import type { EmailChangeView } from './schemas.js'

/** The address that awaits confirmation in a record. */
export function pendingChange({ links }: Pick<Deps, 'links'>, own: StoredUser): EmailChangeView {
  const pending = pendingAddressOf(own)
  const isGood = pending?.state === links.stateOf('change-email', own, pending?.email)
  return isGood ? { email: pending.email, expires_at: pending.until } : { email: null, expires_at: null }
}
