/** What waits, in turns by account: each account has one before any has its second. */
export function createLane<Job>() {
  // The account whose turn is next comes first.
  const byAccount = new Map<unknown, Job[]>()
  const jobsOf = (account: unknown): readonly Job[] => byAccount.get(account) ?? []
  const all = (): Job[] => [...byAccount.values()].flat()

  function keep(account: unknown, jobs: Job[]): void {
    if (jobs.length === 0) byAccount.delete(account)
    else byAccount.set(account, jobs)
  }

  return {
    /** How many wait. */
    size: () => all().length,
    /** How many of them are of this account. */
    sizeOf: (account: unknown) => jobsOf(account).length,
    /** How many of them would go before another one of this account. */
    ahead(account: unknown): number {
      const turn = jobsOf(account).length + 1
      let ahead = 0
      for (const jobs of byAccount.values()) ahead += Math.min(jobs.length, turn)
      return ahead
    },
    add: (account: unknown, job: Job) => keep(account, [...jobsOf(account), job]),
    /** @returns whether it waited */
    delete(account: unknown, job: Job): boolean {
      const jobs = jobsOf(account)
      const others = jobs.filter((each) => each !== job)
      keep(account, others)
      return others.length < jobs.length
    },
    /** The next, which no longer waits; `undefined` if none does. */
    next(): Job | undefined {
      const [first] = byAccount
      if (first === undefined) return undefined
      const [account, [job, ...later]] = first
      // Its next turn comes after those of all others.
      byAccount.delete(account)
      keep(account, later)
      return job
    },
    all,
  }
}
