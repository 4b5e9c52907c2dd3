import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Child, startChild } from '../child.js'

/** Microseconds of CPU for each login by code, one number per round: without a subscriber, and with one. */
export interface Logins {
  alone: number[]
  told: number[]
}

const script = new URL('login-process.js', import.meta.url)

/**
 * Logs in everyone in rounds, without and with a subscriber at once, so a machine that changes its speed does so for both.
 * A first round each, which compiles the code, does not count.
 * @param parent where the databases are
 */
export async function measureLogins(
  rounds: number,
  signal: AbortSignal,
  say: (line: string) => void,
  parent = tmpdir(),
): Promise<Logins> {
  const folder = await mkdtemp(join(parent, 'accounts-benchmark-'))
  const children: Child<'round'>[] = []
  try {
    for (const subscribes of ['no', 'yes']) {
      children.push(await startChild<'round'>(script, [join(folder, `${subscribes}.db`), subscribes], signal))
    }
    const [alone, told] = [[], []] as [number[], number[]]
    for (let round = 0; round <= rounds; round++) {
      say(`logins by code: round ${round} of ${rounds}`)
      const [without = 0, withOne = 0] = await Promise.all(
        children.map(async (child) => (await child.ask('round')) as number),
      )
      if (round === 0) continue
      alone.push(without)
      told.push(withOne)
    }
    return { alone, told }
  } finally {
    for (const { end } of children) await end()
    await rm(folder, { recursive: true })
  }
}
