/**
 * How far the two may differ, in milliseconds. Synchronized clocks differ by less than one second. A process that is
 * behind refuses codes of authenticator apps for that long in every 30 seconds.
 */
const clockTolerance = 5_000

/**
 * Compares this process's clock with the database's.
 * @returns the database's time, as of its response; how many milliseconds this process is ahead of it, or behind if
 * negative; and whether that is too much
 * @throws what the store throws
 */
export async function compareClocks(askDatabase: () => Promise<Date>) {
  const before = Date.now()
  const time = await askDatabase()
  const after = Date.now()
  const aheadMs = Math.round((before + after) / 2 - time.getTime())
  // The database read its clock at some time between the two.
  return { time, aheadMs, isOff: Math.abs(aheadMs) - (after - before) / 2 > clockTolerance }
}

/** For a log or a report: `the clock of this process is 45 s behind the database's`. */
export function describeClocks(aheadMs: number): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  return `the clock of this process is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the database's: codes of authenticator apps and emailed links can fail until the two are synchronized`
}
