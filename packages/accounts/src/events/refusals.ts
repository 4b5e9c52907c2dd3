/** How long refusals are counted before they are told, in milliseconds. */
const window = 60_000

/** How many accounts and actions are counted at once: what else is refused meanwhile isn't told. */
const mostCounted = 10_000

/** Counts who is refused at what, so somebody who keeps guessing makes one event a minute. */
export interface Refusals {
  /** @param action as the audit trail calls it */
  count(userId: string, action: string): void
  /** Tells what was counted. */
  flush(): void
}

export function createRefusals(
  tell: (userId: string, refused: { action: string; count: number }) => void,
): Refusals {
  const counts = new Map<string, { userId: string; action: string; count: number }>()
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    for (const { userId, ...refused } of counts.values()) tell(userId, refused)
    counts.clear()
  }

  return {
    count(userId, action) {
      const key = JSON.stringify([userId, action])
      const counted = counts.get(key)
      if (counted !== undefined) counted.count += 1
      else if (counts.size < mostCounted) counts.set(key, { userId, action, count: 1 })
      timer ??= setTimeout(flush, window).unref()
    },
    flush,
  }
}
