/** The time that decides who has claimed an email: the database's, because the clocks of processes differ. */
export interface OutboxClock {
  /** Asks the database what time it is. Never rejects: if it can't answer, the call that follows says so. */
  ask(): Promise<void>
  /** Milliseconds since 1970, by the last answer. */
  now(): number
}

/** @param askDatabase the database's clock; without it, that of the process is used */
export function createOutboxClock(askDatabase: (() => Promise<Date>) | undefined): OutboxClock {
  if (askDatabase === undefined) return { ask: async () => {}, now: () => Date.now() }
  // On top of the clock of `performance`, because `Date` may be set back.
  let start = Date.now() - performance.now()
  return {
    async ask() {
      const time = await askDatabase().catch(() => null)
      if (time !== null) start = time.getTime() - performance.now()
    },
    now: () => Math.round(start + performance.now()),
  }
}
