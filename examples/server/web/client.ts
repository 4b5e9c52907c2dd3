import { type AccountsClient, type AccountsClientError, createAccountsClient } from './client/index.js'

/** The fields of this app: src/own-fields.ts. */
export interface Fields {
  display_name?: string
  locale?: string
}

/** The routes, beside this page. In English, as the app is, whatever the browser asks for. */
export const accounts: AccountsClient<Fields> = createAccountsClient({
  baseUrl: new URL('.', location.href).href,
  headers: { 'accept-language': 'en' },
})

/** Whoever is logged out meanwhile is sent to the login page, and comes back here after it. */
export function goToLogIn(): void {
  const here = location.pathname.split('/').at(-1) ?? ''
  location.assign(`log-in?next=${encodeURIComponent(here)}`)
}

/** What to tell of a refusal, in one or two sentences. */
export function messageOf({ code, message, retryAfter }: AccountsClientError): string {
  switch (code) {
    case 'NETWORK_ERROR':
      return 'The server cannot be reached. Check the connection and try again.'
    case 'ACCOUNTS_THROTTLED':
      return `Too many tries. Try again in ${waitOf(retryAfter ?? 60)}.`
    case 'ACCOUNTS_UNAVAILABLE':
      return 'That did not work just now. Try again in a moment.'
    default:
      return message
  }
}

function waitOf(seconds: number): string {
  const [count, unit] = seconds < 90 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}
