import { createDeadline, type FeatureCore, guardCallback } from 'fastify-accounts/features'
import { OutageError } from './bounded-fetch.js'
import type { Provider } from './provider.js'

/**
 * The provider, with a deadline on each of its functions that a login waits for. Without the secret or the identity the
 * provider counts as unavailable; a failed `allow` lets nobody in, and is no refusal either: ACCOUNTS_UNAVAILABLE.
 * @param timeout milliseconds
 */
export function withDeadlines(
  provider: Provider,
  timeout: number,
  watchOutages: FeatureCore['watchOutages'],
): Provider {
  const inTime = createDeadline(timeout)
  const { clientSecret, profile, allow } = provider
  const rule = `allow of ${provider.name}`
  const bound =
    <Args extends unknown[], T>(name: string, call: (...args: Args) => T | Promise<T>) =>
    (...args: Args): Promise<T> =>
      inTime(
        (async () => Reflect.apply(call, provider, args) as T | Promise<T>)(),
        () => new OutageError(`${name} of ${provider.name} did not respond in ${timeout} ms`),
      )
  return {
    ...provider,
    ...(typeof clientSecret === 'function' && { clientSecret: bound('clientSecret', clientSecret) }),
    ...(profile && { profile: bound('profile', profile) }),
    ...(allow && {
      allow: guardCallback(rule, allow.bind(provider), timeout, watchOutages(rule)),
    }),
  }
}
