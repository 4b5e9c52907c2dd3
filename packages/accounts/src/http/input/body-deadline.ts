import type { FastifyReply, FastifyRequest } from 'fastify'
import { AccountsError } from '../../errors.js'
import { createRequestSlot } from '../../request-slot.js'

/**
 * How long a body may take after the request was admitted, in milliseconds. With `headersTimeout` and `requestTimeout`
 * as docs/deployment.md sets them, it ends before Node.js would respond for us.
 */
const bodyTime = 10_000

/** Until the body of a request has been read, by whatever reads it: hooks of the app may read or replace it before us. */
interface Deadline {
  timer: NodeJS.Timeout
  isOver: boolean
  /** Ends what reads the body. */
  giveUp(error: Error): void
}

const deadlines = createRequestSlot<Deadline>('body')

/**
 * For a request that is admitted: rejects one whose body stops arriving, and closes its connection
 * (RFC 9110 section 15.5.9); and one whose body is here but isn't passed on.
 */
export function limitBodyTime(request: FastifyRequest, reply: FastifyReply): void {
  const deadline: Deadline = {
    isOver: false,
    giveUp: (error) => void reply.send(error),
    timer: setTimeout(() => {
      deadline.isOver = true
      if (reply.sent) return
      if (request.raw.httpVersionMajor === 1) reply.header('connection', 'close')
      deadline.giveUp(
        request.raw.complete
          ? bodyTaken(request, 'is held back by something that reads it first')
          : new AccountsError('ACCOUNTS_REQUEST_TIMEOUT'),
      )
    }, bodyTime).unref(),
  }
  deadlines.set(request, deadline)
  // Also if nothing has read the body, as after a 415: the timer would keep request and reply in memory.
  reply.raw.once('close', () => reply.sent && stopBodyTime(request))
}

/** A `preValidation` hook: the body is here, or there is none. */
export function endBodyTime(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  if (bodyIsLate(request)) return
  stopBodyTime(request)
  done()
}

export function stopBodyTime(request: FastifyRequest): void {
  clearTimeout(deadlines.get(request)?.timer)
}

/** Whether the request has its response already, so nothing may handle it anymore. */
export function bodyIsLate(request: FastifyRequest): boolean {
  return deadlines.get(request)?.isOver === true
}

/** Says what ends the reading of the body once the time is over. */
export function whenBodyIsLate(request: FastifyRequest, giveUp: (error: Error) => void): void {
  const deadline = deadlines.get(request)
  if (deadline !== undefined) deadline.giveUp = giveUp
}

/** Nothing is wrong with the request, so it isn't refused: the log tells the app's developer. */
export function bodyTaken({ method, routeOptions }: FastifyRequest, how: string): Error {
  return new Error(
    `fastify-accounts: the body of ${method} ${routeOptions.url} ${how}; check the hooks and middleware of the app, and the platform (docs/guides/serverless.md)`,
  )
}
