import type { EventEmitter } from 'node:events'
import type { FastifyInstance } from 'fastify'
import type { AccountsEvents } from './accounts.js'

/** What a listener of the host does wrong, at once or later, harms neither us nor the other listeners. */
export function emitSafely<Name extends keyof AccountsEvents>(
  app: FastifyInstance,
  events: EventEmitter<AccountsEvents>,
  name: Name,
  ...args: AccountsEvents[Name]
): void {
  for (const listener of events.rawListeners(name)) {
    // Each has the type of its name, which `rawListeners` forgets.
    const call = async (): Promise<unknown> =>
      (listener as (...args: AccountsEvents[Name]) => unknown).apply(events, args)
    call().catch((error: unknown) => {
      app.log.error({ err: error }, `accounts: a listener of ${name} failed`)
    })
  }
}
