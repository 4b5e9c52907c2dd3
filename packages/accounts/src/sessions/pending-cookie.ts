import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ResolvedOptions } from '../options/resolve.js'
import { type CookieCodec, cookieAttributes, cookieName } from './session-cookie.js'

/** Carries a login between its first and second steps. */
export interface PendingCookie {
  read(request: FastifyRequest): string | null
  write(reply: FastifyReply, value: string, expiresAt: Date): void
  /** Deletes it in the browser, if the request has it. */
  clear(request: FastifyRequest, reply: FastifyReply): void
}

export function createPendingCookie(
  options: Pick<ResolvedOptions, 'secure' | 'session'>,
  codec: CookieCodec,
): PendingCookie {
  const name = cookieName(`${options.session.cookieName}-pending`, options)
  const attributes = cookieAttributes(options)
  const read: PendingCookie['read'] = ({ headers: { cookie } }) =>
    (cookie?.includes(`${name}=`) && codec.parse(cookie)[name]) || null
  return {
    read,
    write(reply, value, expires) {
      reply.header('set-cookie', codec.serialize(name, value, { ...attributes, expires }))
    },
    clear(request, reply) {
      if (read(request) === null) return
      const expires = new Date(0)
      reply.header('set-cookie', codec.serialize(name, '', { ...attributes, maxAge: 0, expires }))
    },
  }
}
