import { type FeatureCore, fieldError, invalidInput } from 'fastify-accounts/features'

type Site = Pick<FeatureCore['options'], 'brand' | 'origin' | 'trustedOrigins'>

/** It is kept in a cookie, in which every non-ASCII character takes six characters or more. */
const longest = 1000

/**
 * Where the browser goes after a flow, as a full URL: a path of the site, or a URL on its origin or on a trusted
 * one. Anything else would be an open redirect (RFC 9700 section 4.11).
 * @param given default: the URL where people use the service
 * @throws AccountsError ACCOUNTS_INVALID_INPUT
 */
export function checkNext({ brand, origin, trustedOrigins }: Site, given: string | undefined): string {
  const home = brand.url ?? `${origin}/`
  if (given === undefined) return home
  const url = URL.canParse(given, home) ? new URL(given, home) : null
  const isOurs = url !== null && [new URL(home).origin, origin, ...trustedOrigins].includes(url.origin)
  // A prefix that browsers parse as a host, or ignore, is not a path.
  const isPlain = /^(\/(?![/\\])|https?:\/\/)[^\\\t\n\r]*$/.test(given)
  if (!isOurs || !isPlain || url.href.length > longest || url.username !== '' || url.password !== '')
    throw invalidInput(fieldError('next', 'invalid'))
  return url.href
}

/** Adds what the page there needs to know about an unfinished login. */
export function withFactors(next: string, factors: readonly string[]): string {
  const url = new URL(next)
  url.searchParams.set('second_factor', factors.join(','))
  return url.href
}
