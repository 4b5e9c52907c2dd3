import { AccountsError } from 'fastify-accounts'
import type { Outage } from 'fastify-accounts/features'
import type { Issuer } from './issuer.js'

/**
 * Logs when a provider is down. Only a completed login or refresh shows that it is back: a login starts with a document
 * that was fetched earlier, and anybody can make up a callback that is refused before the provider is asked.
 */
export function watchedIssuer(issuer: Issuer, outage: Outage): Issuer {
  async function noteFailure<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof AccountsError && error.code === 'ACCOUNTS_PROVIDER_UNAVAILABLE')
        outage.failed(error)
      throw error
    }
  }

  async function noteBoth<T>(work: () => Promise<T>): Promise<T> {
    const result = await noteFailure(work)
    outage.answered()
    return result
  }

  return {
    ...issuer,
    authorizationUrl: (...given) => noteFailure(() => issuer.authorizationUrl(...given)),
    redeem: (...given) => noteBoth(() => issuer.redeem(...given)),
    async refresher() {
      const refresh = await noteFailure(() => issuer.refresher())
      return (refreshToken) => noteBoth(() => refresh(refreshToken))
    },
  }
}
