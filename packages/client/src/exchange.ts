import {
  AccountsClientError,
  type CallError,
  type ErrorCode,
  type ErrorReason,
  type FieldError,
} from './error.js'
import type { Failure, Result } from './result.js'
import type { TokenStorage } from './token-storage.js'

/** The address of a service, and how to call it. */
export interface ClientOptions {
  /**
   * The address of the routes, including the service's option `prefix`: `https://api.example.org/accounts`. Default: the
   * origin of the page; required outside a browser.
   */
  baseUrl?: string | undefined
  /** The option `auth.prefix` of the service. Default: none. */
  authPrefix?: string | undefined
  /** The option `users.prefix` of the service. Default: none. */
  usersPrefix?: string | undefined
  /** The option `paths` of the service: `{ login: '/session/' }`. Default: none. */
  paths?: { readonly [name: string]: string | undefined } | undefined
  /** As for `fetch`; not with `tokens`. Default `'include'`, which also sends the cookie to another origin. */
  credentials?: 'omit' | 'same-origin' | 'include' | undefined
  /** Headers for each call; on a server, those of the visitor: `cookie`, `x-forwarded-for`. Default: none. */
  headers?: Record<string, string> | undefined
  /** Default: the global `fetch`. */
  fetch?: typeof globalThis.fetch | undefined
  /**
   * Has logins give the app tokens, which it keeps, instead of a cookie; the service needs `features: [tokens()]`. Pass the
   * same object to all clients of a service. Default: the browser keeps the cookie.
   */
  tokens?: TokenStorage | undefined
}

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the reason. */
  signal?: AbortSignal | undefined
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** How to send one request. */
export interface Exchange extends ClientOptions {
  /** Gets the header Accounts-State of the response. */
  onState?(state: string | null): void
}

/** Sends one request and returns its result. */
export async function exchange<Data, Status extends number>(
  { baseUrl = '', credentials = 'include', headers, fetch = globalThis.fetch, tokens, onState }: Exchange,
  method: Method,
  path: string,
  body: object | undefined,
  { signal }: CallOptions,
): Promise<Result<Data, Status>> {
  try {
    const response = await fetch(baseUrl.replace(/\/$/, '') + path, {
      method,
      credentials: tokens ? 'omit' : credentials,
      // No route of the service redirects a client, and no token may get elsewhere.
      redirect: tokens ? 'error' : 'follow',
      headers: {
        ...headers,
        // Without it, some routes would return a page.
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
      },
      // None without a body.
      body: JSON.stringify(body),
      signal: signal ?? null,
    })
    onState?.(response.headers.get('accounts-state'))
    const text = await response.text()
    const data = parse(text)
    if (response.ok && (data || !text)) {
      return { ok: true, status: response.status as Status, data: data as Data }
    }
    return refusal(data, response)
  } catch (cause) {
    // React Native's signals have no reason.
    if (signal?.aborted) throw signal.reason ?? cause
    return failure('NETWORK_ERROR', 'The service did not respond.', { cause })
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function refusal(body: unknown, { status, headers }: Response): Failure {
  const { code, reason, message, fields, factors } = (body ?? {}) as {
    code: ErrorCode
    reason?: ErrorReason
    message?: string
    fields?: FieldError[]
    factors?: string[]
  }
  // Without the header no number, which isn't 0 or more either.
  const wait = Number(headers.get('retry-after') || '-')
  // Also of a rule of the app, but not of Fastify. What is missing matches nothing.
  const ours = /^(?!FST)[A-Z]+_/.test(code)
  return failure(ours ? code : 'UNEXPECTED_RESPONSE', String(message ?? `HTTP ${status}`), {
    reason: ours && typeof reason === 'string' ? reason : undefined,
    status,
    fields: Array.isArray(fields) ? fields : [],
    factors: Array.isArray(factors) ? factors : [],
    retryAfter: wait >= 0 ? wait : undefined,
    body,
  })
}

/** Where the service must have the feature tokens, but seems to have none. */
export const noTokens = (status: number): Failure =>
  failure('UNEXPECTED_RESPONSE', 'The service needs features: [tokens()].', { status })

export const failure = (...details: ConstructorParameters<typeof AccountsClientError>): Failure => ({
  ok: false,
  error: new AccountsClientError(...details) as CallError,
})
