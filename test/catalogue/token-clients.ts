import { goodPassword } from '@fastify-accounts/test-support/app'
import { type TokenClient, tokenClient } from '@fastify-accounts/test-support/tokens'
import { type DeliveredTokens, tokens } from 'fastify-accounts'
import type { Service } from './service.js'

export const minute = 60_000
export const day = 24 * 60 * minute

/** The options of an app whose sessions may be tokens. */
export const withTokens = { features: [tokens()] } as const

/** The same without refresh tokens. */
export const alone = { features: [tokens({ refresh: false })] } as const

/** The first, for many requests at once on a busy machine. */
export const patient = { ...withTokens, adapterTimeout: minute } as const

export const password = (username = 'alice') => ({ username, password: goodPassword })

export interface App extends TokenClient {
  tokens: DeliveredTokens
}

/** An app that has logged in. */
export async function appOf(service: Service, username = 'alice', name?: string): Promise<App> {
  const client = tokenClient(service, name)
  const response = await client.send('POST', '/login/', password(username))
  if (client.tokens === null) throw new Error(`the login delivered no tokens: ${response.body}`)
  return client as App
}

/** The same tokens at another service, as a copy of the app's storage. */
export function appAt(service: Service, { tokens: given, state }: TokenClient): App {
  return Object.assign(tokenClient(service), { tokens: given, state }) as App
}

/** The user of an app's access token; `null` if it has none. */
export async function whoHas(client: TokenClient): Promise<string | null> {
  const response = await client.send('GET', '/me/')
  if (response.statusCode === 401) return null
  if (response.statusCode !== 200) throw new Error(response.body)
  return response.json().username
}

/** Whether a refresh works; never where there is no refresh token. */
export async function canRefresh(client: TokenClient, token?: string): Promise<boolean> {
  if (token === undefined && client.tokens && !client.tokens.refresh_token) return false
  const response = await client.refresh(token)
  if (response.statusCode === 401) return false
  if (response.statusCode !== 200) throw new Error(response.body)
  return true
}

/** Whether anything of a login still works: the access token, then the refresh token. */
export async function isIn(client: TokenClient): Promise<boolean> {
  const isKnown = (await whoHas(client)) !== null
  return (await canRefresh(client.copy())) || isKnown
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** A state header as the plugin makes it, of parts of the test's choice. */
export const stateOf = (parts: unknown): string => Buffer.from(JSON.stringify(parts)).toString('base64url')

/** The parts in a state header: name, value, end. */
export const partsOf = (state: string): [name: string, value: string, end: number][] =>
  JSON.parse(Buffer.from(state, 'base64url').toString())
