import type { StoredUser } from 'fastify-accounts'
import type { Client } from 'fastify-accounts/features'
import type { Assertion } from './ceremony.js'
import { passkeysOf, withChanged } from './passkey.js'

/** The audit trail's reason for an authenticator that may have been copied; the client gets the usual error. */
const cloned = 'PASSKEY_CLONED'

/**
 * The update of a passkey after use (WebAuthn L3 section 7.2 steps 20 to 25).
 * @returns `null` if its counter did not grow, its kind of passkey changed, or it is gone
 */
export function changesOf(
  user: StoredUser,
  id: string,
  { counter, backupEligible, backedUp }: Assertion,
  client: Client,
): Pick<StoredUser, 'credentials'> | null {
  const passkey = passkeysOf(user).find((each) => each.id === id)
  const isCloned = passkey !== undefined && passkey.counter > 0 && counter <= passkey.counter
  if (isCloned) client.note({ reason: cloned })
  if (passkey === undefined || isCloned || passkey.backupEligible !== backupEligible) return null
  return withChanged(user, passkey, { counter, backedUp, lastUsedAt: new Date().toISOString() })
}
