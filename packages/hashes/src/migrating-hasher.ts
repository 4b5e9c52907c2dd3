import type { PasswordHasher } from 'fastify-accounts'
import type { ForeignHashes, OpenedHash } from './foreign-hashes.js'

/** The longest hash that stores keep, in characters. */
const longest = 1024

/**
 * A hasher that also verifies the hashes of other systems. `hasher` creates new ones; a foreign hash needs a
 * rehash, so the plugin replaces it at the next login.
 *
 * A wrong password costs the same whatever the stored hash is, and even if there is no user: the work of
 * `hasher`, plus that of the most expensive hash of each kind. So remove kinds that no user has anymore from the list.
 *
 * @param hasher creates new hashes: `createScryptHasher()`, for example
 * @param kinds the stored kinds: `[djangoPbkdf2(), bcrypt()]`
 */
export function createMigratingHasher(
  hasher: PasswordHasher,
  kinds: readonly ForeignHashes[],
): PasswordHasher {
  function open(hash: unknown): (OpenedHash & { kind: ForeignHashes }) | null {
    if (typeof hash !== 'string' || hash === '' || hash.length > longest) return null
    for (const kind of kinds) {
      const opened = kind.open(hash)
      if (opened !== null) return { ...opened, kind }
    }
    return null
  }

  return {
    hash: (password) => hasher.hash(password),

    canVerify: (hash) => hasher.canVerify(hash) || open(hash) !== null,

    async verify(password, hash) {
      const own = hasher.canVerify(hash)
      const foreign = own ? null : open(hash)
      if (!own && foreign === null) return false
      if (await (foreign ?? { verify: () => hasher.verify(password, hash) }).verify(password)) return true
      // The rest of the work that any wrong password costs: otherwise timing reveals who has an old hash.
      if (!own) await hasher.hash(password)
      for (const kind of kinds) {
        const missing = kind.usualWork - (foreign?.kind === kind ? foreign.work : 0)
        if (missing > 0) await kind.spend(missing, password)
      }
      return false
    },

    needsRehash: (hash) => hasher.needsRehash(hash),
  }
}
