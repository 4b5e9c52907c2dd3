import { isWebHost, shownUrl, webUrl } from 'fastify-accounts/features'
import type { Provider } from './provider.js'

const names = {
  name: 'string',
  label: 'string',
  issuer: 'string',
  clientId: 'string',
  clientSecret: 'secret',
  clientAuth: 'any',
  scopes: 'list',
  parameters: 'any',
  endpoints: 'any',
  authoritativeFor: 'any',
  enough: 'any',
  keepTokens: 'boolean',
  profile: 'function',
  allow: 'function',
  fields: 'function',
} as const satisfies Record<keyof Provider, string>

/**
 * @param isProduction whether an issuer on loopback is rejected
 * @throws Error with one line that names the option
 */
export function checkProviders(providers: readonly Provider[], isProduction: boolean): void {
  if (!Array.isArray(providers) || providers.length === 0)
    fail('providers()', 'must be given a list of at least one provider')
  for (const [at, provider] of providers.entries()) {
    if (typeof provider !== 'object' || provider === null) fail('providers()', 'must hold objects')
    checkProvider(provider, isProduction)
    const others = providers.slice(0, at)
    if (others.some(({ name }) => name === provider.name)) fail(provider.name, 'is there twice')
    if (others.some(({ issuer, clientId }) => issuer === provider.issuer && clientId === provider.clientId))
      fail(provider.name, 'has the issuer and the clientId of another provider')
  }
}

function checkProvider(provider: Provider, isProduction: boolean): void {
  const { name, label, issuer, clientId, clientSecret, clientAuth, scopes, endpoints, authoritativeFor } =
    provider
  if (typeof name !== 'string' || !/^[a-z][a-z0-9-]{0,39}$/.test(name))
    fail('name', `must be up to 40 lower-case letters, digits and dashes, got ${name}`)
  if (label !== undefined && !(isText(label) && label.length <= 100))
    fail(`${name}.label`, `must be a text of at most 100 characters, got ${label}`)
  const strange = Object.keys(provider).find((key) => !Object.hasOwn(names, key))
  if (strange !== undefined)
    fail(`${name}.${strange}`, `does not exist; the options are: ${Object.keys(names).join(', ')}`)
  checkUrl(`${name}.issuer`, issuer, isProduction)
  // The separator between issuer and subject in a key.
  if (issuer.includes('|') || issuer.includes('?') || issuer.includes('#') || issuer.length > 255)
    fail(`${name}.issuer`, 'must be a URL of at most 255 characters without a query')
  if (typeof clientId !== 'string' || clientId === '') fail(`${name}.clientId`, 'is missing')
  if ('clientSecret' in provider && typeof clientSecret !== 'function' && !isText(clientSecret))
    fail(`${name}.clientSecret`, 'must be a string or a function; omit it for a public client')
  if (clientAuth !== undefined && !['client_secret_post', 'client_secret_basic'].includes(clientAuth))
    fail(`${name}.clientAuth`, `must be client_secret_post or client_secret_basic, got ${clientAuth}`)
  if (scopes !== undefined && !(Array.isArray(scopes) && scopes.every(isText)))
    fail(`${name}.scopes`, "must be a list of scopes, such as ['openid', 'email']")
  if (endpoints !== undefined) {
    for (const key of ['authorization', 'token'] as const)
      checkUrl(`${name}.endpoints.${key}`, endpoints[key], isProduction)
    if (endpoints.iss !== undefined) checkUrl(`${name}.endpoints.iss`, endpoints.iss, isProduction)
    if (provider.profile === undefined)
      fail(`${name}.profile`, 'is missing: without discovery there is no ID token to read')
  } else if (scopes !== undefined && !scopes.includes('openid')) fail(`${name}.scopes`, 'must include openid')
  const isRule = authoritativeFor === true || typeof authoritativeFor === 'function'
  const isDomains = Array.isArray(authoritativeFor) && authoritativeFor.every(isDomain)
  if (authoritativeFor !== undefined && !isRule && !isDomains)
    fail(`${name}.authoritativeFor`, "must be true, or a list of domains such as ['example.org']")
  if (!['boolean', 'undefined'].includes(typeof provider.keepTokens))
    fail(`${name}.keepTokens`, `must be true or false, got ${provider.keepTokens}`)
  for (const key of ['profile', 'allow', 'fields'] as const) {
    if (provider[key] !== undefined && typeof provider[key] !== 'function')
      fail(`${name}.${key}`, 'must be a function')
  }
  for (const [key, values] of Object.entries(provider.enough ?? {})) {
    if (!['acr', 'amr'].includes(key) || !(Array.isArray(values) && values.every(isText)))
      fail(`${name}.enough`, "must be lists of values, such as { amr: ['mfa'] }")
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const isDomain = (value: unknown): boolean => isWebHost(value) && /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(value)

function checkUrl(option: string, value: unknown, isProduction: boolean): void {
  const url = webUrl(value)
  if (url === null) fail(option, `must be an https URL without credentials, got ${shownUrl(value)}`)
  if (url.protocol === 'http:' && (isProduction || !isLoopback(url)))
    fail(option, `must be https; http is for loopback only, and not for production, got ${shownUrl(value)}`)
}

/** A host of this machine. */
export function isLoopback({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}

/** @throws Error with one line that names the option */
export function fail(option: string, expectation: string): never {
  throw new Error(`@fastify-accounts/providers: ${option} ${expectation}`)
}
