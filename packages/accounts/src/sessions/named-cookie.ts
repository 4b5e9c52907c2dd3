import type { FastifyReply } from 'fastify'
import type { ResolvedOptions } from '../options/resolve.js'
import { type CookieCodec, cookieAttributes, cookieName } from './session-cookie.js'

/** A cookie beside the session's, with the same attributes, and `-<name>` behind its name. What is in it is the caller's. */
export interface NamedCookie {
  /** As it came, whoever wrote it. */
  read(request: { readonly headers: { readonly cookie?: string | undefined } }): string | undefined
  /** @param maxAge seconds; the browser keeps it for so long */
  write(reply: FastifyReply, value: string, maxAge: number): void
}

export function createNamedCookie(
  name: string,
  options: Pick<ResolvedOptions, 'secure' | 'session'>,
  codec: CookieCodec,
): NamedCookie {
  const fullName = cookieName(`${options.session.cookieName}-${name}`, options)
  const attributes = cookieAttributes(options)
  return {
    read(request) {
      const header = request.headers.cookie
      return header?.includes(fullName) ? codec.parse(header)[fullName] : undefined
    },
    write(reply, value, maxAge) {
      reply.header('set-cookie', codec.serialize(fullName, value, { ...attributes, maxAge }))
    },
  }
}
