/** Milliseconds between two renewals of a pool, so a database that stays read-only isn't flooded with connections. */
const interval = 1000

/**
 * Which connections a pool has to replace because a server refused to be written through one of them, as after a
 * failover: it, and all that were opened before, each as it is used.
 */
export interface Renewal {
  /** For a connection just opened: whether it has to be replaced by now. */
  watch(): () => boolean
  /** A server has refused a write because it is read-only. */
  refused(): void
}

export function createRenewal(): Renewal {
  let renewedAt = Number.NEGATIVE_INFINITY
  return {
    watch() {
      const openedAt = performance.now()
      return () => openedAt < renewedAt
    },
    refused() {
      const now = performance.now()
      if (now - renewedAt >= interval) renewedAt = now
    },
  }
}
