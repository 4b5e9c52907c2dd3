import { hkdfSync } from 'node:crypto'

type Keys = [Buffer, ...Buffer[]]

/** By the option's list of secrets, then by purpose. A purpose names its realm, so there are a few dozen. */
const derived = new WeakMap<readonly string[], Map<string, Keys>>()

/**
 * A key of 32 bytes for one purpose from each secret (HKDF-SHA-256, RFC 5869); the first signs, all verify. Derived once
 * for each list of secrets, which must not change.
 */
export function deriveKeys(secrets: readonly string[], purpose: string): Keys {
  const byPurpose = derived.get(secrets) ?? new Map<string, Keys>()
  derived.set(secrets, byPurpose)
  const keys = byPurpose.get(purpose) ?? deriveAll(secrets, purpose)
  byPurpose.set(purpose, keys)
  return keys
}

function deriveAll([first = '', ...older]: readonly string[], purpose: string): Keys {
  const derive = (secret: string): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, '', `fastify-accounts/${purpose}`, 32))
  return [derive(first), ...older.map(derive)]
}
