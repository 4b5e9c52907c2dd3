import {
  type AccountsClient,
  type AnyFields,
  type ClientOptions,
  createAccountsClient,
} from '@fastify-accounts/client'
import Fastify, { type FastifyInstance } from 'fastify'
import accounts, {
  type AccountsOptions,
  createScryptHasher,
  type Mail,
  secondFactor,
  tokens,
} from 'fastify-accounts'
import { onTestFinished } from 'vitest'
import { createEmailCodeClient, type EmailCodeClient } from '../client/src/email-code.js'
import { createLinksClient, type LinksClient } from '../client/src/links.js'
import { createUsersClient, type UsersClient } from '../client/src/users.js'
import { mountedOperations } from './operations.js'

export const password = 'seven green lanterns'

export interface Service {
  app: FastifyInstance
  url: string
  mails: Mail[]
}

/** What each service here is made of; its mails are kept. */
export function serviceOptions(mails: Mail[]): AccountsOptions {
  return {
    secret: 'a test needs no better secret than this one',
    baseUrl: 'http://127.0.0.1:3000',
    users: true,
    login: { emailCode: true },
    features: [secondFactor(), tokens()],
    throttle: false,
    passwordHasher: createScryptHasher({ logN: 4, r: 1, p: 1 }),
    mailer: { send: async (mail) => void mails.push(mail) },
  }
}

/** A service on a real socket. */
export async function startService(
  options: Partial<AccountsOptions> = {},
  addRoutes: (app: FastifyInstance) => void = () => {},
): Promise<Service> {
  const mails: Mail[] = []
  const app = Fastify({ pluginTimeout: 0 })
  await app.register(accounts, { ...serviceOptions(mails), ...options })
  addRoutes(app)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  return { app, url, mails }
}

/** Every route at another path, with its parameters the other way round. */
export async function movedPaths(folder: string): Promise<Record<string, string>> {
  const { app, mounted } = await mountedOperations({
    features: [secondFactor(), tokens()],
    activity: undefined,
  })
  await app.close()
  return Object.fromEntries(
    [...new Map([...mounted.values()].map(({ name, path }) => [name, path]))].map(([name, path], at) => {
      const params = Array.from(path.matchAll(/\{\w+\}/g), ([param]) => `${param}/`).toReversed()
      return [name, `/${folder}/${at}/${params.join('')}`]
    }),
  )
}

/** A fetch that keeps cookies, as a browser's does. */
export function fetchWithCookies(): typeof fetch {
  const cookies = new Map<string, string>()
  return async (input, init) => {
    const headers = new Headers(init?.headers)
    if (cookies.size > 0) headers.set('cookie', [...cookies].map((pair) => pair.join('=')).join('; '))
    const response = await fetch(input, { ...init, headers })
    for (const each of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }
}

/** A client of a service for other users, in the browser of `fetch`. */
export function usersOf<Fields extends AnyFields = object>(
  { url }: Pick<Service, 'url'>,
  options: ClientOptions = {},
): UsersClient<Fields> {
  return createUsersClient<Fields>({ baseUrl: url, fetch: fetchWithCookies(), ...options })
}

/** A client of a service, in a browser of its own, with the calls of emailed links and codes. */
export function clientOf<Fields extends AnyFields = object>(
  { url }: Pick<Service, 'url'>,
  options: ClientOptions = {},
): AccountsClient<Fields> & LinksClient & EmailCodeClient<Fields> {
  const browser = { baseUrl: url, fetch: fetchWithCookies(), ...options }
  return {
    ...createAccountsClient<Fields>(browser),
    ...createLinksClient(browser),
    ...createEmailCodeClient<Fields>(browser),
  }
}
