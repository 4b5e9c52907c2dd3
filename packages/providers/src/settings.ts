import { type FeatureCore, isWebHost, shownUrl, webUrl } from 'fastify-accounts/features'
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
  lacks: 'any',
  appAudiences: 'any',
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
  const { lacks = [], parameters = {} } = provider
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
  if (issuer.includes('/.well-known/'))
    fail(`${name}.issuer`, `must be the URL before /.well-known/, got ${issuer}`)
  if (!isText(clientId)) fail(`${name}.clientId`, 'is missing')
  if (isMispasted(clientId)) fail(`${name}.clientId`, `${expectClean}, got ${JSON.stringify(clientId)}`)
  if ('clientSecret' in provider && typeof clientSecret !== 'function' && !isText(clientSecret))
    fail(`${name}.clientSecret`, 'must be a string or a function; omit it for a public client')
  if (isText(clientSecret) && isMispasted(clientSecret)) fail(`${name}.clientSecret`, expectClean)
  if (clientAuth !== undefined && !['client_secret_post', 'client_secret_basic'].includes(clientAuth))
    fail(`${name}.clientAuth`, `must be client_secret_post or client_secret_basic, got ${clientAuth}`)
  if (scopes !== undefined && !(Array.isArray(scopes) && scopes.every(isScope)))
    fail(`${name}.scopes`, "must be a list of scopes, such as ['openid', 'email']")
  if (!(Array.isArray(lacks) && lacks.every((each) => protections.includes(each))))
    fail(`${name}.lacks`, `must be a list of ${protections.join(' and ')}, got ${JSON.stringify(lacks)}`)
  if (clientSecret === undefined && lacks.includes('pkce'))
    fail(`${name}.lacks`, 'must not hold pkce without a clientSecret: anybody could redeem a code they see')
  for (const [key, value] of Object.entries(parameters)) {
    if (ownParameters.test(key)) fail(`${name}.parameters.${key}`, 'is set by the login itself')
    if (typeof value !== 'string') fail(`${name}.parameters.${key}`, `must be a string, got ${value}`)
  }
  if (endpoints !== undefined) {
    const other = Object.keys(endpoints).find((key) => !['authorization', 'token', 'iss'].includes(key))
    if (other !== undefined)
      fail(`${name}.endpoints.${other}`, 'does not exist; the options are: authorization, token, iss')
    for (const key of ['authorization', 'token'] as const)
      checkUrl(`${name}.endpoints.${key}`, endpoints[key], isProduction)
    if (endpoints.iss !== undefined) checkUrl(`${name}.endpoints.iss`, endpoints.iss, isProduction)
    if (provider.profile === undefined)
      fail(`${name}.profile`, 'is missing: without discovery there is no ID token to read')
  } else if (scopes !== undefined && !scopes.includes('openid')) fail(`${name}.scopes`, 'must include openid')
  checkAudiences(provider)
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

function checkAudiences({ name, appAudiences, endpoints, lacks = [] }: Provider): void {
  if (appAudiences === undefined) return
  const option = `${name}.appAudiences`
  if (!(Array.isArray(appAudiences) && appAudiences.length > 0 && appAudiences.every(isText)))
    fail(
      option,
      `must be a list of client ids, such as ['org.example.app'], got ${JSON.stringify(appAudiences)}`,
    )
  const odd = appAudiences.find(isMispasted)
  if (odd !== undefined) fail(option, `${expectClean}, got ${JSON.stringify(odd)}`)
  if (endpoints !== undefined) fail(option, 'needs OpenID Connect: an OAuth 2 server issues no ID tokens')
  if (lacks.includes('nonce')) fail(option, 'needs the nonce that the provider lacks')
}

/**
 * A provider must give new users the custom fields that they need; nobody could sign up with it otherwise.
 * @throws Error with one line that names the option
 */
export function checkFields(
  providers: readonly Provider[],
  { users, checkFields: check }: Pick<FeatureCore['options'], 'users' | 'checkFields'>,
): void {
  if (users === false) return
  const missing = check({}).map(({ field }) => field)
  const lacking = missing.length === 0 ? undefined : providers.find(({ fields }) => fields === undefined)
  if (lacking !== undefined)
    fail(`${lacking.name}.fields`, `is missing: users.fields requires ${missing.join(', ')} of a new user`)
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const isScope = (value: unknown): boolean => isText(value) && !/\s/.test(value)

const protections: readonly unknown[] = ['nonce', 'pkce'] satisfies Provider['lacks']

/** Parameters that each login sets. */
const ownParameters =
  /^(client_id|client_secret|redirect_uri|response_type|scope|state|nonce|code_challenge(_method)?)$/

/** The end of a line copied along, the quotes of a .env file, or a variable that isn't set. */
export const isMispasted = (value: string): boolean =>
  value !== value.trim() || /^(["'`]).*\1$/s.test(value) || ['undefined', 'null'].includes(value)

export const expectClean = 'must be the value alone, without quotes or white space around it'

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
