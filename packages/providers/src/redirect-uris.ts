import { type FeatureCore, shownUrl } from 'fastify-accounts/features'
import type { ProvidersOptions } from './provider.js'
import { fail } from './settings.js'

/** A flow keeps it in a cookie, and proxies refuse a long `Location`. */
const longest = 300

/** In production without the name localhost, which a resolver may send elsewhere (RFC 8252 section 8.3). */
const loopback = /^http:\/\/(127\.0\.0\.1|\[::1\]|localhost)\//

/**
 * Where flows of apps may end, by RFC 8252 section 7: private-use schemes, https URLs that an app has claimed, loopback.
 * @throws Error with one line that names the option
 */
export function checkOptions(
  { appRedirectUris: uris, ...others }: ProvidersOptions,
  isProduction: boolean,
): void {
  const [strange] = Object.keys(others)
  if (strange !== undefined) fail(strange, 'does not exist; the options are: appRedirectUris')
  if (uris === undefined) return
  if (!Array.isArray(uris) || uris.length === 0)
    fail('appRedirectUris', `must be a list of at least one URI, got ${JSON.stringify(uris)}`)
  for (const uri of uris) {
    const fault = faultOf(uri, isProduction)
    if (fault !== null) fail('appRedirectUris', `${fault}, got ${shownUrl(uri)}`)
  }
}

function faultOf(uri: unknown, isProduction: boolean): string | null {
  if (typeof uri !== 'string' || !URL.canParse(uri) || uri.length > longest)
    return `must hold URIs of at most ${longest} characters`
  const { protocol, href, username, password, hostname, port } = new URL(uri)
  if (uri.includes('#')) return 'must hold URIs without a fragment'
  if (username !== '' || password !== '') return 'must hold URIs without credentials'
  if (href !== uri) return `must be written as ${href}`
  if (protocol === 'https:') return null
  if (protocol === 'http:') {
    if (port !== '') return 'must hold loopback URIs without a port: any port is accepted'
    if (hostname === 'localhost' && isProduction)
      return 'must have 127.0.0.1 or [::1] in place of localhost in production'
    return loopback.test(uri) ? null : 'must hold no http URI, except on 127.0.0.1, [::1] or localhost'
  }
  // Section 7.1: anybody could register a scheme that isn't based on their domain.
  if (!/^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:\/./.test(uri))
    return "must hold schemes that are a domain in reverse order, such as 'org.example.app:/login'"
  return null
}

type Site = Pick<FeatureCore['options'], 'origin' | 'trustedOrigins'>

/**
 * Where the site's own scripts run: at the end of a flow one of them would read the code in the URL, and have tokens of
 * whoever is logged in at the provider.
 */
const isOfSite = (uri: string, { origin, trustedOrigins }: Site): boolean =>
  [origin, ...trustedOrigins].includes(new URL(uri).origin)

/** @throws Error with one line that names the option */
export function checkOrigins(uris: readonly string[], site: Site): void {
  const readable = uris.find((uri) => isOfSite(uri, site))
  if (readable === undefined) return
  fail(
    'appRedirectUris',
    `must not be on the origin of baseUrl or one of trustedOrigins, where a script of the site would get the app's tokens, got ${shownUrl(readable)}`,
  )
}

/** Whether it is one of the list, character by character; on loopback with any port (section 7.3) but that of the site. */
export function isRedirectUri(uris: readonly string[], target: string, site: Site): boolean {
  const [, address, path] = /^(http:\/\/[^/:]+|http:\/\/\[::1\]):[1-9]\d{0,4}(\/.*)$/s.exec(target) ?? []
  const bare = address === undefined ? target : `${address}${path}`
  if (!URL.canParse(target) || isOfSite(target, site)) return false
  return uris.some((uri) => uri === target || (loopback.test(uri) && uri === bare))
}
