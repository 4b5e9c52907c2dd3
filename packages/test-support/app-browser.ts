import type { InjectOptions, LightMyRequestResponse as Response } from 'fastify'
import { goodPassword, type TestApp } from './app.js'

/** A browser for a test app: it keeps cookies. */
export interface AppBrowser {
  cookies: Map<string, string>
  send(method: InjectOptions['method'], url: string, body?: object, headers?: object): Promise<Response>
  /** @param username `alice` unless given */
  logIn(username?: string): Promise<void>
  /** Takes over a cookie, as `cookieOf` returns it. */
  take(cookie: string): void
  /** The name of the logged-in user. */
  who(): Promise<string | null>
}

export function appBrowser({ app }: Pick<TestApp, 'app'>): AppBrowser {
  const cookies = new Map<string, string>()
  const send: AppBrowser['send'] = async (method, url, body, headers = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await app.inject({
      ...(method && { method }),
      url,
      headers: { ...(cookie && { cookie }), ...headers },
      ...(body && { payload: body }),
    })
    for (const { name, value } of response.cookies) {
      if (value === '') cookies.delete(name)
      else cookies.set(name, encodeURIComponent(value))
    }
    return response
  }
  return {
    cookies,
    send,
    async logIn(username = 'alice') {
      const response = await send('POST', '/login/', { username, password: goodPassword })
      if (response.statusCode !== 200) throw new Error(response.body)
    },
    take(cookie) {
      const [name = '', value = ''] = cookie.split('=')
      cookies.set(name, value)
    },
    async who() {
      const response = await send('GET', '/me/')
      return response.statusCode === 200 ? response.json().username : null
    },
  }
}

/** The message of a rejection. */
export const refusalOf = (response: Response): [number, string] => [
  response.statusCode,
  response.json().code ?? response.body,
]
