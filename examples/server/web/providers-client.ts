import { AccountsClientError, type ErrorCode } from '@fastify-accounts/client'

/** An identity at another provider of whoever is logged in. */
export interface Identity {
  id: string
  /** `null` where nobody can log in with it any more. */
  provider: string | null
  /** The address or the name there. */
  label: string | null
  created_at: string | null
  last_used_at: string | null
}

type Result<Data> = { ok: true; data: Data } | { ok: false; error: AccountsClientError }
/** The page of the provider, where the browser has to go. */
type Place = Promise<Result<{ location: string }>>

/** The routes of providers. `next` is where the browser goes when it comes back. */
export interface ProvidersClient {
  logInWith(provider: string, options: { next: string; remember: boolean }): Place
  listIdentities(): Promise<Result<{ results: Identity[] }>>
  addIdentity(provider: string, options: { next: string }): Place
  removeIdentity(id: string): Promise<Result<undefined>>
}

export function createProvidersClient({
  baseUrl,
  headers,
}: {
  baseUrl: string
  headers: Record<string, string>
}): ProvidersClient {
  async function send<Data>(method: string, path: string, body?: object): Promise<Result<Data>> {
    try {
      const response = await fetch(baseUrl + path, {
        method,
        headers: {
          ...headers,
          accept: 'application/json',
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      const data = text === '' ? undefined : JSON.parse(text)
      if (response.ok) return { ok: true, data }
      const { code, message, fields = [] } = data
      return { ok: false, error: new AccountsClientError(code as ErrorCode, message, { fields }) }
    } catch (cause) {
      return { ok: false, error: new AccountsClientError('NETWORK_ERROR', 'No answer came.', { cause }) }
    }
  }
  return {
    logInWith: (provider, body) => send('POST', `login/with/${provider}/`, body),
    listIdentities: () => send('GET', 'identities/'),
    addIdentity: (provider, body) => send('POST', `identities/${provider}`, body),
    removeIdentity: (id) => send('DELETE', `identities/${id}`),
  }
}
