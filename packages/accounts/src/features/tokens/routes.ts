import { onlyTokensReply } from '../../http/output/schemas.js'
import { type Route, route } from '../../http/route.js'
import type { Refreshes } from '../../sessions/refresh.js'
import type { FeatureCore } from '../feature.js'
import { refreshTokens } from './refresh-tokens.js'
import { refreshBody, revokeBody, revokeReply } from './schemas.js'

/** What a client does with a token. Both routes read no cookie. */
export function tokenRoutes(core: FeatureCore, refreshes: boolean): Route[] {
  // `tokens` of the feature guarantees them.
  const tokenRefreshes = core.refreshes as Refreshes
  const refresh = route({
    name: 'tokens-refresh',
    action: 'refresh-tokens',
    method: 'POST',
    path: '/tokens/refresh/',
    operation: {
      id: 'refreshTokens',
      host: 'session',
      summary: 'Get new tokens for a refresh token',
      asks: [],
      errors: ['ACCOUNTS_LOGIN_REQUIRED', 'ACCOUNTS_THROTTLED', 'ACCOUNTS_CONFLICT', 'ACCOUNTS_UNAVAILABLE'],
    },
    access: 'anyone',
    budget: null,
    schema: { body: refreshBody, response: { 200: onlyTokensReply } },
    async handle({ body: { refresh_token }, client }, deps) {
      await refreshTokens(deps, tokenRefreshes, client, refresh_token)
      return {}
    },
  })
  const revoke = route({
    name: 'tokens-revoke',
    action: 'revoke-token',
    method: 'POST',
    path: '/tokens/revoke/',
    operation: {
      id: 'revokeToken',
      host: 'session',
      summary: 'End the session of a token (RFC 7009): succeeds whatever it was',
      errors: ['ACCOUNTS_UNAVAILABLE'],
    },
    access: 'anyone',
    isOpenToEnroll: true,
    budget: null,
    schema: { body: revokeBody, response: { 200: revokeReply } },
    async handle({ body: { token }, client }, { events }) {
      const user = await tokenRefreshes.revoke(token)
      client.note({ user })
      if (user !== null) events.tell('session.ended', user, {})
      return { body: {} }
    },
  })
  return refreshes ? [refresh, revoke] : [revoke]
}
