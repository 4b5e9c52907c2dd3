import { type FeatureCore, fieldError, invalidInput } from 'fastify-accounts/features'

type Site = Pick<FeatureCore['options'], 'brand' | 'origin' | 'trustedOrigins'>

/** It waits in a cookie, in which every letter but those of ASCII is six characters or more. */
const longest = 1000

/**
 * Where the browser goes after a flow, as a whole URL: a path of the site, or a URL on its origin or on one that is
 * trusted. Anything else would send whoever follows a link of this site somewhere else (RFC 9700 section 4.11).
 * @param given default: where people use the service
 * @throws AccountsError ACCOUNTS_INVALID_INPUT
 */
export function checkNext({ brand, origin, trustedOrigins }: Site, given: string | undefined): string {
  const home = brand.url ?? `${origin}/`
  if (given === undefined) return home
  const url = URL.canParse(given, home) ? new URL(given, home) : null
  const isOurs = url !== null && [new URL(home).origin, origin, ...trustedOrigins].includes(url.origin)
  // What browsers read as the beginning of a host, or leave out, is no path.
  const isPlain = /^(\/(?![/\\])|https?:\/\/)[^\\\t\n\r]*$/.test(given)
  if (!isOurs || !isPlain || url.href.length > longest || url.username !== '' || url.password !== '')
    throw invalidInput(fieldError('next', 'invalid'))
  return url.href
}

/** With what the page there has to know of a login that is not finished. */
export function withFactors(next: string, factors: readonly string[]): string {
  const url = new URL(next)
  url.searchParams.set('second_factor', factors.join(','))
  return url.href
}
