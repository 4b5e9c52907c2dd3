import type { FastifyReply } from 'fastify'
import type { Passwords } from '../passwords/passwords.js'

/**
 * The deps for work that hashes a password for a request's client: a client that has closed its connection
 * gets no hash. Uses the response's event, because the request's comes as soon as its body is read.
 */
export function whileThere<D extends { passwords: Passwords }>(deps: D, { raw }: FastifyReply): D {
  // An answer of HTTP/2 has no `destroyed` of its own.
  let isGone = raw.destroyed || (raw as { stream?: { destroyed?: boolean } }).stream?.destroyed === true
  const listeners: (() => void)[] = []
  raw.once('close', () => {
    if (raw.writableEnded) return
    isGone = true
    for (const listener of listeners) listener()
  })
  const client = {
    isGone: () => isGone,
    onGone: (listener: () => void) => void listeners.push(listener),
  }
  return { ...deps, passwords: deps.passwords.whileThere(client) }
}
