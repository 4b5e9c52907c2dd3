import type { FastifyBaseLogger } from 'fastify'
import type { Subscriber } from 'fastify-accounts'

/** Logs every event. An app would tell its CRM here, or delete the files of a user who is gone. */
export function logEvents(log: FastifyBaseLogger): Subscriber {
  return {
    '*': (event) => log.info({ event }, `event: ${event.type}`),
  }
}
