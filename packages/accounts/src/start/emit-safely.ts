import type { EventEmitter } from 'node:events'
import type { FastifyInstance } from 'fastify'
import type { AccountsEvents } from './accounts.js'

/** A listener's error, immediate or later, affects neither us nor the other listeners. */
export function emitSafely<Name extends keyof AccountsEvents>(
  app: FastifyInstance,
  events: EventEmitter<AccountsEvents>,
  name: Name,
  ...args: AccountsEvents[Name]
): void {
  for (const listener of events.rawListeners(name)) {
    // Each has the type for its name, which `rawListeners` drops.
    const call = async (): Promise<unknown> =>
      (listener as (...args: AccountsEvents[Name]) => unknown).apply(events, args)
    call().catch((error: unknown) => {
      app.log.error({ err: error }, `accounts: a listener of ${name} failed`)
    })
  }
}
