import { type AccountsClient, type AccountsClientError, createAccountsClient } from '@fastify-accounts/client'
import { createInvitationsClient, type InvitationsClient } from '@fastify-accounts/client/invitations'
import { createUsersClient, type UsersClient } from '@fastify-accounts/client/users'

/** The fields of this app: src/own-fields.ts. */
export interface Fields {
  display_name?: string
  locale?: string
}

/** The routes are next to this page. In English, like the app's own pages, whatever the browser's language. */
const service = {
  baseUrl: new URL('.', location.href).href,
  headers: { 'accept-language': 'en' },
}

export const accounts: AccountsClient<Fields> = createAccountsClient(service)

export const users: UsersClient<Fields> = createUsersClient(service)

export const invitations: InvitationsClient = createInvitationsClient(service)

/** To a page of the library that leads back here: `login/` or `confirm/`. */
export function goTo(page: string): void {
  const { pathname, search } = location
  location.assign(`${page}?${new URLSearchParams({ next: pathname + search })}`)
}

/** The text for an error, in one or two sentences. */
export function messageOf({ code, message, retryAfter }: AccountsClientError): string {
  switch (code) {
    case 'NETWORK_ERROR':
      return 'We can’t reach the server. Check your connection and try again.'
    case 'ACCOUNTS_THROTTLED':
      return `Too many attempts. Try again in ${waitOf(retryAfter ?? 60)}.`
    case 'ACCOUNTS_UNAVAILABLE':
      return 'That didn’t work. Try again in a moment.'
    default:
      return message
  }
}

function waitOf(seconds: number): string {
  const [count, unit] = seconds < 90 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}
