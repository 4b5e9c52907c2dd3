import type { PasswordHasher } from '../seams/password-hasher.js'

/** Counts the hashes in progress, and how long the oldest has taken. */
export function watchHasher(hasher: PasswordHasher): {
  hasher: PasswordHasher
  hashes(): { underWay: number; oldestMs: number }
} {
  const begun = new Set<{ at: number }>()
  async function watched<T>(work: () => Promise<T>): Promise<T> {
    const each = { at: performance.now() }
    begun.add(each)
    try {
      return await work()
    } finally {
      begun.delete(each)
    }
  }
  return {
    hasher: {
      canVerify: (hash) => hasher.canVerify(hash),
      needsRehash: (hash) => hasher.needsRehash(hash),
      hash: (password) => watched(() => hasher.hash(password)),
      verify: (password, hash) => watched(() => hasher.verify(password, hash)),
    },
    hashes() {
      const [oldest] = begun
      return {
        underWay: begun.size,
        oldestMs: oldest === undefined ? 0 : Math.round(performance.now() - oldest.at),
      }
    },
  }
}
