import { cookieOf, type TestApp } from '@fastify-accounts/test-support/app'
import { tokenClient } from '@fastify-accounts/test-support/tokens'
import type { LightMyRequestResponse as Response } from 'fastify'
import type { DeliveredTokens, TokensOptions } from 'fastify-accounts'
import type { Kind } from './rules.js'

/** A request of somebody who has the session. */
export type Act = 'visit' | 'refresh' | 'confirm' | 'change password' | 'log out' | 'revoke'

/** What a client keeps of a session. */
export type Kept = DeliveredTokens | string

/** How a session is delivered. */
export interface Delivery extends Kind {
  name: 'tokens' | 'tokens without refresh' | 'cookies'
  /** Of the service, where the session is kept as tokens. */
  tokens?: TokensOptions
  /** How long it is good for requests, in milliseconds. */
  lifetime: number
  /** Whether a claim below the base is good for requests until then. */
  isGoodBelow: boolean
  /** Whether each part of an app keeps its own: tabs of a browser share one cookie. */
  isKeptApart: boolean
  acts: { often: readonly Act[]; rare: readonly Act[] }
  /** Sends a request with what is kept. */
  send(
    app: Pick<TestApp, 'send'>,
    kept: Kept | null,
    ...request: [method: 'GET' | 'POST', url: string, body?: object]
  ): Promise<{ response: Response; delivered: Kept | null; isCleared: boolean }>
}

const second = 1000
const minute = 60 * second

const tokenDelivery: Delivery = {
  name: 'tokens',
  window: 30 * second,
  confirmLifetime: 15 * minute,
  confirmingReplaces: false,
  lifetime: 15 * minute,
  isGoodBelow: true,
  isKeptApart: true,
  acts: {
    often: ['visit', 'visit', 'refresh', 'refresh', 'confirm'],
    rare: ['change password', 'log out', 'revoke'],
  },
  async send(app, kept, ...request) {
    const client = tokenClient(app)
    client.tokens = kept as DeliveredTokens | null
    const response = await client.send(...request)
    if (response.headers['accounts-access-token'])
      throw new Error('a token that can be refreshed is in a header')
    return { response, delivered: client.tokens === kept ? null : client.tokens, isCleared: false }
  },
}

const aloneDelivery: Delivery = {
  ...tokenDelivery,
  name: 'tokens without refresh',
  tokens: { refresh: false },
  confirmingReplaces: true,
  lifetime: Number.POSITIVE_INFINITY,
  isGoodBelow: false,
  acts: { often: ['visit', 'visit', 'confirm'], rare: ['change password', 'log out', 'revoke'] },
  async send(app, kept, ...request) {
    const client = tokenClient(app)
    client.tokens = kept as DeliveredTokens | null
    const response = await client.send(...request)
    const delivered = client.tokens === kept ? null : client.tokens
    if (response.headers['accounts-access-token'] !== delivered?.access_token)
      throw new Error('the header has another token than the body')
    return { response, delivered, isCleared: false }
  },
}

const cookieDelivery: Delivery = {
  name: 'cookies',
  window: 10 * second,
  confirmLifetime: 15 * minute,
  confirmingReplaces: true,
  lifetime: Number.POSITIVE_INFINITY,
  isGoodBelow: false,
  isKeptApart: false,
  acts: { often: ['visit', 'visit', 'confirm'], rare: ['change password', 'log out'] },
  async send({ send }, kept, method, url, body) {
    const headers = kept === null ? {} : { cookie: kept as string }
    const response = await send(method, url, body, { headers })
    const set = response.cookies.filter(({ name }) => name === 'session')
    const isCleared = set.some(({ value }) => value === '')
    return { response, delivered: set.length > 0 && !isCleared ? cookieOf(response) : null, isCleared }
  },
}

export const deliveries: readonly Delivery[] = [tokenDelivery, aloneDelivery, cookieDelivery]
