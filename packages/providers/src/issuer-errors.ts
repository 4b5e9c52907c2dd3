import { AccountsError } from 'fastify-accounts'
import { withoutValues } from 'fastify-accounts/features'
import { AuthorizationResponseError } from 'openid-client'
import { OutageError } from './bounded-fetch.js'
import type { Claims } from './provider.js'

/** The cause of ACCOUNTS_PROVIDER_REFUSED if the user canceled at the provider, which needs no investigation. */
export class CanceledError extends Error {}

/**
 * @param provider its display name
 * @param secrets sent to the provider, whose texts may quote them
 */
export function unavailable(provider: string, error: unknown, secrets: readonly string[]): AccountsError {
  const cause = new Error(forLog(wordsOf(error), secrets))
  return new AccountsError('ACCOUNTS_PROVIDER_UNAVAILABLE', { provider, cause })
}

/** Classifies an error during a login: the provider's outage, or an invalid response. */
export function failedLogin(provider: string, error: unknown, secrets: readonly string[]): AccountsError {
  if (isOutage(error)) return unavailable(provider, error, secrets)
  const words = forLog(wordsOf(error), secrets)
  return isCanceled(error)
    ? new AccountsError('ACCOUNTS_PROVIDER_REFUSED', {
        reason: 'canceled',
        provider,
        cause: new CanceledError(words),
      })
    : new AccountsError('ACCOUNTS_PROVIDER_REFUSED', { provider, cause: new Error(words) })
}

/** The meaning of a response that isn't a document: usually that the token doesn't allow the request. */
export function refusalOf(url: string, { status, headers }: Response): Error {
  const { origin, pathname } = new URL(url)
  const message = `${origin}${pathname} returned ${status}`
  // GitHub's response to too many requests.
  const isLimit =
    status === 403 && (headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0')
  if (isLimit) return new OutageError(message)
  const hint = status === 403 || status === 404 ? ': is a scope or a permission missing?' : ''
  return Object.assign(new Error(message + hint), { status })
}

/** Whether the provider did not respond, or with its own error; anything else is an invalid response. */
function isOutage(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause as Error) {
    // The browser brought it, so anybody can have written it.
    if (each instanceof AuthorizationResponseError) return false
    if (each instanceof OutageError || each.name === 'TimeoutError' || each.name === 'AbortError') return true
    // RFC 6749 section 4.1.2.1.
    const { error: code } = each as { error?: unknown }
    if (code === 'server_error' || code === 'temporarily_unavailable') return true
    // What fetch() throws on a network failure.
    if (each instanceof TypeError && /fetch failed|terminated/.test(each.message)) return true
    if (each.cause instanceof Response) return isTrouble(each.cause.status)
    const { status } = each as { status?: unknown }
    if (typeof status === 'number') return isTrouble(status)
  }
  return false
}

/** RFC 6749 section 4.1.2.1, and its equivalents: LINE writes it in capitals, Apple and LinkedIn have their own words. */
const isCanceled = (error: unknown): boolean =>
  error instanceof AuthorizationResponseError &&
  ['access_denied', 'user_cancelled_authorize', 'user_cancelled_login'].includes(error.error.toLowerCase())

const isTrouble = (status: number): boolean => status >= 500 || status === 429

/** Only the messages, since the library attaches whole responses to its errors, including tokens. */
function wordsOf(error: unknown): string {
  const words: string[] = []
  for (let each = error; each instanceof Error && words.length < 5; each = each.cause) {
    const { error: code, error_description: detail } =
      each instanceof AuthorizationResponseError ? ofBrowser(each) : (each as Partial<ErrorResponse>)
    words.push(
      [each.message, code, detail, issuersOf(each), hintOf(each)]
        .filter((word) => typeof word === 'string')
        .join(' '),
    )
  }
  return words.join(': ')
}

/** RFC 6749 section 5.2. A provider may send anything. */
interface ErrorResponse {
  error: unknown
  error_description: unknown
}

/** What the browser's query says: in the form of RFC 6749 section 4.1.2.1, and short. */
function ofBrowser({ error, error_description = '' }: AuthorizationResponseError): ErrorResponse {
  return {
    error: /^[a-z_]{1,40}$/i.test(error) ? error : 'an unknown error',
    error_description: error_description.replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '').slice(0, 100),
  }
}

/** Which issuer an ID token is of, if it's the wrong one: usually the configured one is misspelled. */
function issuersOf({ cause }: Error): string | undefined {
  const { claim, expected, claims } = (cause ?? {}) as {
    claim?: unknown
    expected?: unknown
    claims?: Claims
  }
  return claim === 'iss' ? `expected ${expected}, got ${claims?.iss}` : undefined
}

/** A missing claim only has its name in the library's message. */
const hintOf = ({ message }: Error): string | undefined =>
  message === 'JWT "nonce" (nonce) claim missing'
    ? "(if this provider never sends it, set lacks: ['nonce'])"
    : undefined

/**
 * Makes a provider's text safe to log: it may quote what it was sent. Secrets are cut out before the text is shortened,
 * or part of one could remain.
 */
export function forLog(text: string, secrets: readonly string[]): string {
  const scrubbed = String(withoutValues(text, secrets.flatMap(formsOf)))
  return scrubbed.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 500)
}

/** A secret as it is, in a URL and in a form. */
const formsOf = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  new URLSearchParams([['', secret]]).toString().slice(1),
]
