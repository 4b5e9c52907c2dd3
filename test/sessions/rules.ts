/** What a cookie or token says of its session. */
export interface Claim {
  generation: number
  epoch: number
  confirmation: number
}

/** The rules that differ between cookies and tokens; times are in milliseconds. */
export interface Kind {
  /** How long a claim stays good at least once a newer one was seen. */
  window: number
  /** How long a login or a confirmation counts as recent. */
  confirmLifetime: number
  /** Whether a confirmation makes a generation. */
  confirmingReplaces: boolean
}

export interface Row {
  /** The newest generation that was delivered, the newest that was seen, and the oldest that is good. */
  newest: number
  seen: number
  base: number
  /** What becomes the base, and when. */
  next: { base: number; at: number } | null
  epoch: number
  confirmation: number
  confirmedAt: number
  priorConfirmedAt: number
  isEnded: boolean
}

/** Whether a claim is good, or older than the oldest that is, or its session is over for it. */
export type Standing = 'good' | 'below the base' | 'over'

/**
 * The rules of a session in the fewest words, written apart from the plugin, which is compared with them. Each changes the
 * row. The session begins now.
 */
export function createRules({ window, confirmLifetime, confirmingReplaces }: Kind, now: () => number) {
  const begin = (): Row => ({
    ...{ newest: 0, seen: 0, base: 0, next: null },
    ...{ epoch: 0, confirmation: 0, confirmedAt: now(), priorConfirmedAt: 0 },
    isEnded: false,
  })

  const isOver = (row: Row, { epoch }: Claim): boolean => row.isEnded || epoch !== row.epoch

  function settle(row: Row): void {
    while (row.next !== null && row.next.at <= now()) {
      const { base, at } = row.next
      row.base = base
      row.next = row.seen > base ? { base: row.seen, at: at + window } : null
    }
  }

  /** How a claim stands, which counts as a sight of it. */
  function present(row: Row, claim: Claim): Standing {
    if (isOver(row, claim)) return 'over'
    settle(row)
    if (claim.generation < row.base) return 'below the base'
    if (claim.generation > row.seen) {
      row.seen = claim.generation
      row.next ??= { base: row.seen, at: now() + window }
    }
    return 'good'
  }

  /** Whether a claim counts as a recent login. */
  function isConfirmed(row: Row, { confirmation }: Claim): boolean {
    const isRecent = (at: number) => now() - at < confirmLifetime
    if (confirmation === row.confirmation) return isRecent(row.confirmedAt)
    const isLate = confirmation === row.confirmation - 1 && now() - row.confirmedAt < window
    return isLate && isRecent(row.priorConfirmedAt)
  }

  /** What a good claim gets for a refresh. */
  function refresh(row: Row, { generation, confirmation }: Claim): Claim {
    if (generation === row.newest) row.newest += 1
    return { generation: row.newest, epoch: row.epoch, confirmation }
  }

  /** What a claim gets whose owner confirms who they are. */
  function confirm(row: Row): Claim {
    if (confirmingReplaces) row.newest += 1
    row.confirmation += 1
    row.priorConfirmedAt = row.confirmedAt
    row.confirmedAt = now()
    return { generation: row.newest, epoch: row.epoch, confirmation: row.confirmation }
  }

  /** The same, with a change that ends all claims of before. */
  function changePassword(row: Row): Claim {
    row.epoch += 1
    return confirm(row)
  }

  /** A logout, with any claim of the session. */
  function end(row: Row, claim: Claim): void {
    if (!isOver(row, claim)) row.isEnded = true
  }

  return { begin, present, isConfirmed, refresh, confirm, changePassword, end }
}

export type Rules = ReturnType<typeof createRules>
