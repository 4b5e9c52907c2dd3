import type { FastifyReply } from 'fastify'
import type { ResolvedOptions } from '../options/resolve.js'
import { type CookieCodec, cookieAttributes, cookieName } from './session-cookie.js'

/** A cookie with the session cookie's attributes and its name plus `-<name>`. The caller defines the content. */
export interface NamedCookie {
  /** As received, possibly forged. */
  read(request: CookieRequest): string | undefined
  /** @param maxAge seconds for which the browser keeps it */
  write(reply: FastifyReply, value: string, maxAge: number): void
  /** Deletes it in the browser, if the request has it. */
  clear(request: CookieRequest, reply: FastifyReply): void
}

/** The names of the core's own cookies: logins that wait for a second factor, remembered and known devices, sign-ups. */
export const coreCookies = ['pending', 'remembered', 'device', 'signup'] as const

interface CookieRequest {
  readonly headers: { readonly cookie?: string | undefined }
}

export function createNamedCookie(
  name: string,
  options: Pick<ResolvedOptions, 'secure' | 'session'>,
  codec: CookieCodec,
): NamedCookie {
  const fullName = cookieName(`${options.session.cookieName}-${name}`, options)
  const attributes = cookieAttributes(options)

  function read({ headers: { cookie } }: CookieRequest): string | undefined {
    return cookie?.includes(fullName) ? codec.parse(cookie)[fullName] : undefined
  }

  function write(reply: FastifyReply, value: string, maxAge: number): void {
    reply.header('set-cookie', codec.serialize(fullName, value, { ...attributes, maxAge }))
  }

  return {
    read,
    write,
    clear(request, reply) {
      if (read(request) !== undefined) write(reply, '', 0)
    },
  }
}
