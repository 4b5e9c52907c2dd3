import { type FeatureCore, fieldError, invalidInput } from 'fastify-accounts/features'

type Site = Pick<FeatureCore['options'], 'brand' | 'origin' | 'trustedOrigins'>

/** It is kept in a cookie, in which every non-ASCII character takes six characters or more. */
const longest = 1000

/**
 * Where the browser goes after a flow, as a full URL: a path of the site, or a URL on its origin or on a trusted
 * one. Anything else would be an open redirect (RFC 9700 section 4.11).
 * @param target default: the URL where people use the service
 * @throws AccountsError ACCOUNTS_INVALID_INPUT
 */
export function checkNext({ brand, origin, trustedOrigins }: Site, target: string | undefined): string {
  const home = brand.url ?? `${origin}/`
  if (target === undefined) return home
  const url = URL.canParse(target, home) ? new URL(target, home) : null
  const isOurs = url !== null && [new URL(home).origin, origin, ...trustedOrigins].includes(url.origin)
  const isPlain = /^(\/|https?:\/\/)[^\\\p{Cc}]*$/u.test(target)
  const isFine = isOurs && isPlain && isPlainPath(url.pathname)
  if (!isFine || url.href.length > longest || url.username !== '' || url.password !== '')
    throw invalidInput(fieldError('next', 'invalid'))
  return url.href
}

/**
 * Whether a path reads the same for everyone: some programs decode it once more, take a backslash for a slash, skip
 * control characters, and read two slashes at the start as the beginning of a host.
 */
function isPlainPath(path: string): boolean {
  const encoded = (what: string): string => `%(?:25)*(?:${what})`
  const odd = new RegExp(
    `^/(?:/|${encoded('2f')})|${encoded('[01][0-9a-f]|7f|c2%(?:25)*[89][0-9a-f]|5c')}`,
    'i',
  )
  return !odd.test(path)
}

/** Adds what the page there needs to know about an unfinished login. */
export function withFactors(next: string, factors: readonly string[]): string {
  const url = new URL(next)
  url.searchParams.set('second_factor', factors.join(','))
  return url.href
}
