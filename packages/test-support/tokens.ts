import type { LightMyRequestResponse as Response } from 'fastify'
import type { DeliveredTokens } from 'fastify-accounts'
import type { TestApp } from './app.js'

/** An app that keeps tokens and state as the docs say, and no cookies. */
export interface TokenClient {
  tokens: DeliveredTokens | null
  /** Of the header Accounts-State. */
  state: string
  /** Sends a request as this app. */
  send(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<Response>
  /** POST /tokens/refresh/ with the tokens it has, or others. */
  refresh(token?: string): Promise<Response>
  /** The same app, as a copy of its storage. */
  copy(): TokenClient
}

export function tokenClient({ send }: Pick<TestApp, 'send'>, name?: string): TokenClient {
  const client: TokenClient = {
    tokens: null,
    state: '',
    async send(method, url, body, headers = {}) {
      const response = await send(method, url, body, {
        headers: {
          'accounts-delivery': name === undefined ? 'tokens' : `tokens; name="${name}"`,
          ...(client.state && { 'accounts-state': client.state }),
          ...(client.tokens && { authorization: `Bearer ${client.tokens.access_token}` }),
          // Where a session may go on. Only a thief has an access token alone.
          ...(method !== 'GET' &&
            client.tokens?.refresh_token && { 'accounts-refresh': client.tokens.refresh_token }),
          ...headers,
        },
      })
      const state = response.headers['accounts-state']
      if (state !== undefined) client.state = String(state)
      const delivered = deliveredBy(response)
      if (delivered !== undefined) client.tokens = delivered
      return response
    },
    refresh: (token = client.tokens?.refresh_token) =>
      client.send('POST', '/tokens/refresh/', { refresh_token: token ?? '' }),
    copy: () => Object.assign(tokenClient({ send }, name), { tokens: client.tokens, state: client.state }),
  }
  return client
}

/** The tokens in the body of a response, if it has any. */
export function deliveredBy(response: Response): DeliveredTokens | undefined {
  if (!String(response.headers['content-type']).startsWith('application/json')) return undefined
  return response.json<{ tokens?: DeliveredTokens }>().tokens
}
