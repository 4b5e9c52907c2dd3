import type { FastifyReply } from 'fastify'
import type { Passwords } from '../passwords/passwords.js'

/**
 * What services are handed where they hash a password for the client of a request: one that has closed its connection
 * gets no hash. The event is the answer's, since that of a request comes as soon as its body is read.
 */
export function whileThere<D extends { passwords: Passwords }>(deps: D, { raw }: FastifyReply): D {
  const gone = new AbortController()
  if (raw.destroyed) gone.abort()
  raw.once('close', () => {
    if (!raw.writableEnded) gone.abort()
  })
  return { ...deps, passwords: deps.passwords.whileThere(gone.signal) }
}
