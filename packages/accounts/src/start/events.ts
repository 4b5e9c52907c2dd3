import type { EventEmitter } from 'node:events'
import type { FastifyInstance } from 'fastify'
import type { EventOffice } from '../events/events.js'
import type { AuditTrail } from '../http/guard/audit.js'
import type { ResolvedOptions } from '../options/resolve.js'
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

/**
 * Audit events go to the listeners of `audit`, and with `auditLog` to the log. Refusals of who isn't logged in are counted for
 * the account that they are about.
 */
export function createAuditTrail(
  app: FastifyInstance,
  { auditLog }: Pick<ResolvedOptions, 'auditLog'>,
  events: EventEmitter<AccountsEvents>,
  stored: Pick<EventOffice, 'wants' | 'refused'>,
): AuditTrail {
  return {
    isHeard: (isRefusal) =>
      auditLog || events.listenerCount('audit') > 0 || (isRefusal && stored.wants('session.refused')),
    tell(event) {
      const { action, outcome, userId, actorId, host } = event
      if (outcome === 'refused' && userId !== null && actorId === null && host === undefined)
        stored.refused(userId, action)
      if (auditLog) app.log.info({ audit: event }, `accounts: ${event.action} ${event.outcome}`)
      emitSafely(app, events, 'audit', event)
    },
  }
}
