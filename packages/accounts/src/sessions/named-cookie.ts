import type { ResolvedOptions } from '../options/resolve.js'
import type { Client } from './client.js'
import { type CookieCodec, cookieName } from './session-cookie.js'

/** A cookie with the session cookie's attributes and its name plus `-<name>`. The caller defines the content. */
export interface NamedCookie {
  /** As received, possibly forged. */
  read(client: Pick<Client, 'cookies'>): string | undefined
  /** @param maxAge seconds for which the browser keeps it */
  write(client: Client, value: string, maxAge: number): void
  /** Deletes it in the browser, if the browser has it. */
  clear(client: Client): void
}

/** The names of the core's own cookies: logins that wait for a second factor, remembered and known devices, sign-ups. */
export const coreCookies = ['pending', 'remembered', 'device', 'signup'] as const

export function createNamedCookie(
  name: string,
  options: Pick<ResolvedOptions, 'secure' | 'session'>,
  codec: Pick<CookieCodec, 'parse'>,
): NamedCookie {
  const fullName = cookieName(`${options.session.cookieName}-${name}`, options)

  function read({ cookies }: Pick<Client, 'cookies'>): string | undefined {
    return cookies?.includes(fullName) ? codec.parse(cookies)[fullName] : undefined
  }

  function write(client: Client, value: string, maxAge: number): void {
    client.setCookie(fullName, value, { maxAge })
  }

  return {
    read,
    write,
    clear(client) {
      if (read(client) !== undefined) write(client, '', 0)
    },
  }
}
