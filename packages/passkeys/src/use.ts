import type { StoredUser } from 'fastify-accounts'
import type { Assertion } from './ceremony.js'
import { passkeysOf, withChanged } from './passkey.js'
import { Refusal, unknownPasskey } from './refusal.js'

/**
 * The update of a passkey after use (WebAuthn L3 section 7.2 steps 19 to 24). One that could be synced at its
 * last use must still say so. The reverse is accepted, because password managers and systems have made existing passkeys
 * syncable, and so is anything from a passkey that hasn't said it yet.
 */
export function changesOf(
  user: StoredUser,
  id: string,
  { counter, backupEligible, backedUp }: Assertion,
): Pick<StoredUser, 'credentials'> | Refusal {
  const passkey = passkeysOf(user).find((each) => each.id === id)
  if (passkey === undefined) return unknownPasskey()
  // Each copy of a synced passkey counts by itself, or not at all: what a copy counts tells nothing of the others.
  const isSynced = passkey.backupEligible ?? backupEligible
  if (!isSynced && passkey.counter > 0 && counter <= passkey.counter)
    return new Refusal('PASSKEY_CLONED', `its signature counter is ${counter} after ${passkey.counter}`)
  if (passkey.backupEligible === true && !backupEligible)
    return new Refusal('PASSKEY_BACKUP', 'it could be synced before, and says that it can’t be')
  const lastUsedAt = new Date().toISOString()
  return withChanged(user, passkey, { counter, backupEligible, backedUp, lastUsedAt })
}
