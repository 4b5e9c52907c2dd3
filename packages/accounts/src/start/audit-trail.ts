import type { EventEmitter } from 'node:events'
import type { FastifyInstance } from 'fastify'
import type { AuditTrail } from '../http/guard/audit.js'
import type { ResolvedOptions } from '../options/resolve.js'
import type { AccountsEvents } from './accounts.js'
import { emitSafely } from './emit-safely.js'

/** Audit events go to the listeners of `audit`, and with `auditLog` to the log. */
export function createAuditTrail(
  app: FastifyInstance,
  { auditLog }: Pick<ResolvedOptions, 'auditLog'>,
  events: EventEmitter<AccountsEvents>,
): AuditTrail {
  return {
    isHeard: () => auditLog || events.listenerCount('audit') > 0,
    tell(event) {
      if (auditLog) app.log.info({ audit: event }, `accounts: ${event.action} ${event.outcome}`)
      emitSafely(app, events, 'audit', event)
    },
  }
}
