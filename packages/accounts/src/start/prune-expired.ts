import type { FastifyInstance } from 'fastify'
import { logTrouble } from '../adapters/log-trouble.js'

/** How often expired rows are removed, in milliseconds. */
const interval = 10 * 60_000

/** Removes expired rows until the app closes. */
export function pruneExpired(
  app: FastifyInstance,
  rows: 'sessions' | 'invitations' | 'activity',
  deleteExpired: () => Promise<number>,
): void {
  let isPruning = false
  const timer = setInterval(async () => {
    // One run at a time: after a long pause there may be much to remove.
    if (isPruning) return
    isPruning = true
    await deleteExpired().catch((error) => {
      logTrouble(app.log, error, `accounts: expired ${rows} could not be removed`)
    })
    isPruning = false
  }, interval)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
}
