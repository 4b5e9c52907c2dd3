import type { AccountsHealth } from 'fastify-accounts'
import { type Child, startChild } from '../child.js'
import { createPostgresDatabase } from '../databases.js'
import { quotients, type Summary, summarize } from '../statistics.js'
import type { Fate, Me, Question } from './waiting-process.js'

/** An app beside which events wait, and the same without; ratios are over rounds that ran one after the other. */
export interface Beside {
  fate: Fate
  /** Of "who am I": with the events through without. */
  cpu: Summary
  p50: Summary
  /** Milliseconds until a reset mail leaves, without and with them: the longest of all rounds. */
  reset: [number, number]
  health: Pick<AccountsHealth, 'ok' | 'ms'>
  /** How many events a second were delivered. */
  perSecond: number
}

const script = new URL('waiting-process.js', import.meta.url)

export async function measureBeside(
  fate: Fate,
  count: number,
  rounds: number,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<Beside> {
  const ends: (() => Promise<void>)[] = []
  try {
    const sides: { child: Child<Question>; me: Me[]; resets: number[] }[] = []
    for (const size of [0, count]) {
      say(`${fate}: leaving ${size} events`)
      const { url, drop } = await createPostgresDatabase()
      ends.unshift(drop)
      const child = await startChild<Question>(script, [url, String(size), fate], signal)
      ends.unshift(child.end)
      await child.ask(['me', 2])
      sides.push({ child, me: [], resets: [] })
    }
    const [without, beside] = sides as [(typeof sides)[0], (typeof sides)[0]]
    const start = performance.now()
    const before = (await beside.child.ask(['waiting'])) as number
    for (let round = 0; round < rounds; round++) {
      say(`${fate}: round ${round + 1} of ${rounds}`)
      for (const { child, me, resets } of round % 2 === 0 ? sides : sides.toReversed()) {
        me.push((await child.ask(['me', 0.5])) as Me)
        resets.push((await child.ask(['reset'])) as number)
      }
    }
    const after = (await beside.child.ask(['waiting'])) as number
    const seconds = (performance.now() - start) / 1000
    const ratio = (of: keyof Me) =>
      summarize(
        quotients(
          beside.me.map((each) => each[of]),
          without.me.map((each) => each[of]),
        ),
      )
    const { ok, ms } = (await beside.child.ask(['check'])) as AccountsHealth
    return {
      ...{ fate, cpu: ratio('cpu'), p50: ratio('p50') },
      reset: [Math.max(...without.resets), Math.max(...beside.resets)],
      health: { ok, ms },
      perSecond: (before - after) / seconds,
    }
  } finally {
    for (const end of ends) await end()
  }
}
