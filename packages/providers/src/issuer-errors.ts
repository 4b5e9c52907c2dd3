import { AccountsError } from 'fastify-accounts'
import { AuthorizationResponseError } from 'openid-client'
import { OutageError } from './bounded-fetch.js'

/** Beneath ACCOUNTS_PROVIDER_REFUSED where somebody has changed their mind at the provider, which is nothing to look into. */
export class CanceledError extends Error {}

/** @param provider what people read of it */
export function unavailable(provider: string, error: unknown): AccountsError {
  return new AccountsError('ACCOUNTS_PROVIDER_UNAVAILABLE', { provider, cause: new Error(wordsOf(error)) })
}

/** What an error on the way to a login is: the provider's outage, or an answer that must not be. */
export function failedLogin(provider: string, error: unknown): AccountsError {
  if (isOutage(error)) return unavailable(provider, error)
  const cause = isCanceled(error) ? new CanceledError(wordsOf(error)) : new Error(wordsOf(error))
  return new AccountsError('ACCOUNTS_PROVIDER_REFUSED', { provider, cause })
}

/** What an answer other than a document means: mostly that this app asks for what the token isn't good for. */
export function refusalOf(url: string, { status, headers }: Response): Error {
  const message = `${url} answered ${status}`
  // GitHub says so to whoever asks too often.
  const isLimit =
    status === 403 && (headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0')
  if (isLimit) return new OutageError(message)
  const hint = status === 403 || status === 404 ? ': is a scope or a permission missing?' : ''
  return Object.assign(new Error(message + hint), { status })
}

/** Whether the provider did not answer, or with an error of its own; all else is an answer that must not be. */
function isOutage(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause as Error) {
    if (each instanceof OutageError || each.name === 'TimeoutError' || each.name === 'AbortError') return true
    // RFC 6749 section 4.1.2.1.
    const { error: code } = each as { error?: unknown }
    if (code === 'server_error' || code === 'temporarily_unavailable') return true
    // What fetch() throws where the network fails.
    if (each instanceof TypeError && /fetch failed|terminated/.test(each.message)) return true
    if (each.cause instanceof Response) return isTrouble(each.cause.status)
    const { status } = each as { status?: unknown }
    if (typeof status === 'number') return isTrouble(status)
  }
  return false
}

/** RFC 6749 section 4.1.2.1, and what Apple says in its place. */
const isCanceled = (error: unknown): boolean =>
  error instanceof AuthorizationResponseError &&
  ['access_denied', 'user_cancelled_authorize'].includes(error.error)

const isTrouble = (status: number): boolean => status >= 500 || status === 429

/** For the log: in words alone, since the library hangs whole answers on its errors, tokens included. */
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
