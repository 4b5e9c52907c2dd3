import { isIP } from 'node:net'
import { isWebHost, isWebOrigin, shownUrl, webUrl } from 'fastify-accounts/features'
import { getPublicSuffix } from 'tldts'

/** Options of `passkeys()`. */
export interface PasskeysOptions {
  /**
   * The domain that passkeys are for: the host of one of the `origins`, or a domain above it, so that subdomains share
   * them. Changing it later invalidates every passkey. Default: the host of `baseUrl`.
   */
  rpId?: string | undefined
  /**
   * The origins whose pages may use passkeys: `https://app.example.org`. Those outside `rpId` are published to browsers
   * at /.well-known/webauthn. An Android app has one as well: `android:apk-key-hash:…`. Default: the origin of `baseUrl`.
   */
  origins?: readonly string[] | undefined
  /**
   * The URLs of your pages for adding a passkey and managing passkeys, https or http on localhost: for password managers,
   * at /.well-known/passkey-endpoints. Default: none.
   */
  endpoints?: { enroll?: string | undefined; manage?: string | undefined } | undefined
}

/** The settings in effect. */
export interface PasskeySettings {
  rpId: string
  origins: readonly string[]
  /** The origins outside `rpId`. */
  relatedOrigins: readonly string[]
  endpoints: { enroll?: string; manage?: string }
}

/**
 * @param origin of `baseUrl`
 * @throws Error with one line that names the option
 */
export function resolveSettings(options: PasskeysOptions, origin: string): PasskeySettings {
  if (typeof options !== 'object' || options === null) fail('options', 'must be an object')
  const optionNames = ['rpId', 'origins', 'endpoints']
  const strange = Object.keys(options).find((name) => !optionNames.includes(name))
  if (strange !== undefined) fail(strange, `does not exist; the options are: ${optionNames.join(', ')}`)
  const { rpId = new URL(origin).hostname, origins = [origin], endpoints = {} } = options
  checkDomain(rpId)
  if (!Array.isArray(origins) || origins.length === 0)
    fail('origins', 'must be a list of at least one origin')
  for (const each of origins) checkOrigin(each)
  const isWithin = (each: string): boolean => {
    const host = new URL(each).hostname
    return host === rpId || host.endsWith(`.${rpId}`)
  }
  const sites = origins.filter(isSite)
  if (!sites.some(isWithin))
    fail(
      'rpId',
      `must be the host of one of the origins, or a domain above it, got ${rpId} for ${origins.join(', ')}`,
    )
  return {
    rpId,
    origins,
    relatedOrigins: sites.filter((each) => !isWithin(each)),
    endpoints: checkEndpoints(endpoints),
  }
}

/** What browsers accept as an RP id: no IP address, and no domain under which anyone can register one (WebAuthn L3 section 5.1.3). */
function checkDomain(rpId: unknown): void {
  if (!isWebHost(rpId) || isIP(rpId) !== 0 || rpId.startsWith('['))
    fail(
      'rpId',
      `must be a domain such as example.org, got ${shownUrl(rpId)}; browsers have no passkeys for an IP address`,
    )
  if (rpId !== 'localhost' && getPublicSuffix(rpId, { allowPrivateDomains: true }) === rpId)
    fail('rpId', `must be a domain of your own: anybody can have a site under ${rpId}`)
}

function checkOrigin(origin: unknown): void {
  if (typeof origin === 'string' && /^android:apk-key-hash:[\w-]{43}$/.test(origin)) return
  if (!isWebOrigin(origin) || !isSecure(new URL(origin)))
    fail(
      'origins',
      `must hold origins such as https://app.example.org, or http://localhost:3000, without wildcards, or android:apk-key-hash: with 43 characters of base64url, got ${shownUrl(origin)}`,
    )
}

/** Whether browsers have passkeys on the site of a URL: https, or http on localhost. */
function isSecure({ protocol, hostname }: URL): boolean {
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  return protocol === 'https:' || (protocol === 'http:' && isLocal)
}

const isSite = (origin: string): boolean => /^https?:/.test(origin)

function checkEndpoints(urls: NonNullable<PasskeysOptions['endpoints']>): PasskeySettings['endpoints'] {
  const endpoints = Object.fromEntries(Object.entries(urls).filter(([, url]) => url !== undefined))
  for (const [name, url] of Object.entries(endpoints)) {
    if (name !== 'enroll' && name !== 'manage')
      fail(`endpoints.${name}`, 'does not exist; the options are: enroll, manage')
    const address = webUrl(url)
    if (address === null || !isSecure(address))
      fail(`endpoints.${name}`, `must be an https URL, or http on localhost, got ${shownUrl(url)}`)
  }
  return endpoints
}

function fail(option: string, expectation: string): never {
  throw new Error(`@fastify-accounts/passkeys: the option ${option} ${expectation}`)
}
