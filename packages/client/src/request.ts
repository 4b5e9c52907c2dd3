import { AccountsClientError, type ErrorCode, type FieldError } from './error.js'
import type { Result } from './result.js'

/** The address of a service, and how to call it. */
export interface ServiceOptions {
  /**
   * The address of the routes, including the service's option `prefix`: `https://api.example.org/accounts`. Default: the
   * origin of the page; required outside a browser.
   */
  baseUrl?: string
  /** The option `auth.prefix` of the service. Default: none. */
  authPrefix?: string
  /** As for `fetch`. Default `'include'`, which also sends the cookie to another origin. */
  credentials?: 'omit' | 'same-origin' | 'include'
  /** Headers for each call; on a server, those of the visitor: `cookie`, `x-forwarded-for`. Default: none. */
  headers?: Record<string, string>
  /** Default: the global `fetch`. */
  fetch?: typeof globalThis.fetch
}

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call, which then rejects with the reason. */
  signal?: AbortSignal
}

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Sends one request and returns its result. */
export async function send<Data, Status extends number>(
  { baseUrl = '', credentials = 'include', headers, fetch = globalThis.fetch }: ServiceOptions,
  method: Method,
  path: string,
  body: object | undefined,
  { signal }: CallOptions,
): Promise<Result<Data, Status>> {
  try {
    const response = await fetch(baseUrl.replace(/\/$/, '') + path, {
      method,
      credentials,
      headers: {
        ...headers,
        // Without it, some routes would answer with a page.
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
    const text = await response.text()
    const { ok, status } = response
    const data = parse(text)
    if (ok && (data !== undefined || text === '')) {
      return { ok: true, status: status as Status, data: data as Data }
    }
    return { ok: false, error: refusal(data, response) }
  } catch (cause) {
    signal?.throwIfAborted()
    return {
      ok: false,
      error: new AccountsClientError('NETWORK_ERROR', 'The service did not respond.', { cause }),
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function refusal(body: unknown, { status, headers }: Response): AccountsClientError {
  const { code, message, fields, factors } = (body ?? {}) as {
    code?: ErrorCode
    message?: string
    fields?: FieldError[]
    factors?: string[]
  }
  const wait = Number.parseInt(headers.get('retry-after') ?? '', 10)
  const ours = typeof code === 'string' && code.startsWith('ACCOUNTS_')
  return new AccountsClientError(ours ? code : 'UNEXPECTED_ANSWER', String(message ?? `HTTP ${status}`), {
    status,
    fields: Array.isArray(fields) ? fields : [],
    factors: Array.isArray(factors) ? factors : [],
    retryAfter: Number.isNaN(wait) ? undefined : wait,
    body,
  })
}

/** A path with its parameters filled in. */
export function filled(path: string, params: object): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) =>
    segment((params as Record<string, string>)[name] as string),
  )
}

/**
 * One path segment, escaped. An empty one, `.` and `..` would lead to another route, escaped or not (WHATWG URL
 * 4.1); a space matches no user and no link.
 */
function segment(text: string): string {
  return /^\.{0,2}$/.test(text) ? '%20' : encodeURIComponent(text)
}
