import { AccountsError } from 'fastify-accounts'
import type { Outage } from 'fastify-accounts/features'
import type { Issuer } from './issuer.js'

/**
 * Logs when a provider is down. Only a completed login or refresh shows that it is back: a login starts with a document
 * that was fetched earlier, and anybody can make up a callback that is refused before the provider is asked.
 * @param keys what ID tokens of apps are checked with, the only thing that they need of the provider
 */
export function watchedIssuer(issuer: Issuer, whole: Outage, keys: Outage): Issuer {
  async function noteFailure<T>(outage: Outage, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof AccountsError && error.code === 'ACCOUNTS_PROVIDER_UNAVAILABLE')
        outage.failed(error)
      throw error
    }
  }

  async function noteBoth<T>(outage: Outage, work: () => Promise<T>): Promise<T> {
    const result = await noteFailure(outage, work)
    outage.responded()
    return result
  }

  return {
    ...issuer,
    authorizationUrl: (...args) => noteFailure(whole, () => issuer.authorizationUrl(...args)),
    redeem: (...args) => noteBoth(whole, () => issuer.redeem(...args)),
    check: (...args) => noteBoth(keys, () => issuer.check(...args)),
    async refresher() {
      const refresh = await noteFailure(whole, () => issuer.refresher())
      return (refreshToken) => noteBoth(whole, () => refresh(refreshToken))
    },
  }
}
