import type { FastifyReply } from 'fastify'
import type { ResolvedOptions } from '../options/resolve.js'
import { type CookieCodec, cookieAttributes, cookieName } from './session-cookie.js'

/** A cookie with the session cookie's attributes and its name plus `-<name>`. The caller defines the content. */
export interface NamedCookie {
  /** As received, possibly forged. */
  read(request: { readonly headers: { readonly cookie?: string | undefined } }): string | undefined
  /** @param maxAge seconds for which the browser keeps it */
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
