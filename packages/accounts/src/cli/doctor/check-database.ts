import { compareClocks, describeClocks } from '../../adapters/compare-clocks.js'
import type { Outbox, UserStore } from '../../index.js'
import { counted } from '../counted.js'
import { attempt, type Finding } from './finding.js'

export async function checkClock(now: () => Promise<Date>): Promise<Finding> {
  let warning: string | undefined
  const finding = await attempt('clock', async () => {
    const { isOff, aheadMs } = await compareClocks(now)
    if (isOff) warning = describeClocks(aheadMs)
    return "agrees with the database's"
  })
  return warning === undefined ? finding : { ...finding, state: 'warning', detail: warning }
}

/** A message that has been due for longer than this, in milliseconds, isn't delivered by anyone. */
const longOverdue = 60_000

export async function checkOutbox(outbox: Outbox, now: UserStore['now']): Promise<Finding> {
  let dead = 0
  let overdue = 0
  const finding = await attempt('outbox', async () => {
    const count = await outbox.count()
    dead = count.dead
    const since = (await outbox.oldestDue?.()) ?? null
    if (since !== null) overdue = ((await now?.()) ?? new Date()).getTime() - since.getTime()
    return `responds; ${count.waiting} waiting`
  })
  const warnings: string[] = []
  if (overdue > longOverdue) {
    const minutes = Math.round(overdue / 60_000)
    warnings.push(
      `an email or event has been due for ${counted(minutes, 'minute')}: does a process of the service run, with the same features, subscribers and decorateAs?`,
    )
  }
  if (dead > 0)
    warnings.push(
      `${counted(dead, 'email or event was', 'emails and events were')} abandoned: npx fastify-accounts outbox lists them`,
    )
  return warnings.length === 0 ? finding : { ...finding, state: 'warning', detail: warnings.join('; ') }
}
