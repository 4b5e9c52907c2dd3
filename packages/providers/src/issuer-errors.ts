import { AccountsError } from 'fastify-accounts'
import { AuthorizationResponseError } from 'openid-client'
import { OutageError } from './bounded-fetch.js'

/** The cause of ACCOUNTS_PROVIDER_REFUSED if the user canceled at the provider, which needs no investigation. */
export class CanceledError extends Error {}

/** @param provider its display name */
export function unavailable(provider: string, error: unknown): AccountsError {
  return new AccountsError('ACCOUNTS_PROVIDER_UNAVAILABLE', { provider, cause: new Error(wordsOf(error)) })
}

/** Classifies an error during a login: the provider's outage, or an invalid response. */
export function failedLogin(provider: string, error: unknown): AccountsError {
  if (isOutage(error)) return unavailable(provider, error)
  const cause = isCanceled(error) ? new CanceledError(wordsOf(error)) : new Error(wordsOf(error))
  return new AccountsError('ACCOUNTS_PROVIDER_REFUSED', { provider, cause })
}

/** The meaning of a response that isn't a document: usually that the token doesn't allow the request. */
export function refusalOf(url: string, { status, headers }: Response): Error {
  const message = `${url} answered ${status}`
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

/** RFC 6749 section 4.1.2.1, and Apple's equivalent. */
const isCanceled = (error: unknown): boolean =>
  error instanceof AuthorizationResponseError &&
  ['access_denied', 'user_cancelled_authorize'].includes(error.error)

const isTrouble = (status: number): boolean => status >= 500 || status === 429

/** For the log: only the message, since the library attaches whole responses to its errors, including tokens. */
function wordsOf(error: unknown): string {
  const words: string[] = []
  for (let each = error; each instanceof Error && words.length < 5; each = each.cause) {
    const { error: code, error_description: detail } = each as {
      error?: unknown
      error_description?: unknown
    }
    words.push([each.message, code, detail].filter((word) => typeof word === 'string').join(' '))
  }
  return words.join(': ').slice(0, 500)
}
