import type { StoredUser } from 'fastify-accounts'
import type { Assertion } from './ceremony.js'
import { passkeysOf, withChanged } from './passkey.js'

/** What the audit trail says of an authenticator that may have been copied; the client is told what everybody is told. */
const cloned = 'PASSKEY_CLONED'

/**
 * What is noted of a passkey that was used (WebAuthn L3 section 7.2 steps 20 to 25).
 * @param note says why in the audit trail, where the client is not told
 * @returns `null` where its counter did not grow, or it became another kind of passkey, or is gone
 */
export function changesOf(
  user: StoredUser,
  id: string,
  { counter, backupEligible, backedUp }: Assertion,
  note: (reason: string) => void,
): Pick<StoredUser, 'credentials'> | null {
  const passkey = passkeysOf(user).find((each) => each.id === id)
  const isCloned = passkey !== undefined && passkey.counter > 0 && counter <= passkey.counter
  if (isCloned) note(cloned)
  if (passkey === undefined || isCloned || passkey.backupEligible !== backupEligible) return null
  return withChanged(user, passkey, { counter, backedUp, lastUsedAt: new Date().toISOString() })
}
