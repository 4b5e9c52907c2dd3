import { countedSessions, invitationsWithOutbox, usersWithOutbox } from '@fastify-accounts/test-support/app'
import type { Stores } from '@fastify-accounts/test-support/faults/grounds'
import type { OnCall } from '@fastify-accounts/test-support/faults/probe'
import type { startService } from '@fastify-accounts/test-support/faults/service'
import { createMemoryThrottleStore } from 'fastify-accounts'

/** Stores with an outbox, so whatever is posted apart from a change is a call of its own. */
export function storesWithOutbox(): Stores {
  const users = usersWithOutbox()
  return {
    users,
    sessions: countedSessions(),
    invitations: invitationsWithOutbox(users.outbox),
    throttle: createMemoryThrottleStore(),
  }
}

/** Options of a service whose every kind of notice is sent. */
export const tellsAll: Parameters<typeof startService>[1] = { session: { newDeviceMail: true } }

/** Noting that a session is in use changes nothing that anybody is told about. */
export const isWrite = (method: string): boolean =>
  /^(users|sessions|invitations|organizations)\.(create|update|delete|change|write)/.test(method)

/** Watches a request; `late` has what it wrote before it posted an email, if it did both. */
export function postWatch(): { onCall: OnCall; late: readonly string[] } {
  const written: string[] = []
  const late: string[] = []
  async function note(method: string, inner: () => unknown): Promise<unknown> {
    if (method === 'outbox.add') late.push(...written)
    const result = await inner()
    // What met another version wrote nothing.
    if (isWrite(method) && result !== null && result !== false) written.push(method)
    return result
  }
  // Signers and hashers also have calls that aren't asynchronous.
  const onCall: OnCall = (method, inner) =>
    /^(users|sessions|invitations|outbox)/.test(method) ? note(method, inner) : inner()
  return { onCall, late }
}
