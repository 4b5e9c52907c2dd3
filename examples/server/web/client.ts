import { type AccountsClient, type AccountsClientError, createAccountsClient } from '@fastify-accounts/client'
import { type ActivityClient, createActivityClient } from '@fastify-accounts/client/activity'
import { type ApiKeysClient, createApiKeysClient } from '@fastify-accounts/client/api-keys'
import { createEmailCodeClient, type EmailCodeClient } from '@fastify-accounts/client/email-code'
import { createInvitationsClient, type InvitationsClient } from '@fastify-accounts/client/invitations'
import { createOrganizationsClient, type OrganizationsClient } from '@fastify-accounts/client/organizations'
import { createPasskeysClient, type PasskeysClient } from '@fastify-accounts/client/passkeys'
import { createProvidersClient, type ProvidersClient } from '@fastify-accounts/client/providers'
import { createSecondFactorClient, type SecondFactorClient } from '@fastify-accounts/client/second-factor'
import { createUsersClient, type UsersClient } from '@fastify-accounts/client/users'

/** The fields of this app: src/own-fields.ts. */
export interface Fields {
  display_name?: string
  locale?: string
}

/** The routes are next to this page. In English, like the app, whatever the browser's language. */
const service = {
  baseUrl: new URL('.', location.href).href,
  headers: { 'accept-language': 'en' },
}

export const accounts: AccountsClient<Fields> = createAccountsClient(service)

export const activity: ActivityClient = createActivityClient(service)

export const emailCode: EmailCodeClient<Fields> = createEmailCodeClient(service)

export const secondFactor: SecondFactorClient<Fields> = createSecondFactorClient(service)

export const users: UsersClient<Fields> = createUsersClient(service)

export const apiKeys: ApiKeysClient = createApiKeysClient(service)

export const invitations: InvitationsClient = createInvitationsClient(service)

export const organizations: OrganizationsClient = createOrganizationsClient(service)

export const providers: ProvidersClient = createProvidersClient(service)

export const passkeys: PasskeysClient<Fields> = createPasskeysClient(service)

/** For a user who has been logged out: goes to the login page, which returns here. */
export function goToLogIn(): void {
  const here = location.pathname.split('/').at(-1) ?? ''
  location.assign(`log-in?next=${encodeURIComponent(here)}`)
}

/** The text for an error, in one or two sentences. */
export function messageOf({ code, message, retryAfter, cause }: AccountsClientError): string {
  switch (code) {
    case 'PASSKEY_FAILED':
      return whyNoPasskey(passkeyFault(cause))
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

/** Whether another passkey request of this page replaced this one. */
export function wasReplaced({ cause }: AccountsClientError): boolean {
  return passkeyFault(cause) === 'ERROR_CEREMONY_ABORTED'
}

/** The code that @simplewebauthn/browser gives to a browser's error. */
function passkeyFault(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : ''
}

/** The URL that the app's passkeys belong to, from the markup of the passkey buttons. */
function home(): string {
  return document.querySelector<HTMLElement>('[data-passkey]')?.dataset.passkey ?? 'its own'
}

function whyNoPasskey(fault: string): string {
  if (!isSecureContext) return 'Browsers support passkeys only over https and on localhost.'
  if (!('PublicKeyCredential' in globalThis)) return 'This browser doesn’t support passkeys.'
  switch (fault) {
    case 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED':
      return 'This device already has a passkey for your account.'
    case 'ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT':
    case 'ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT':
    case 'ERROR_AUTHENTICATOR_NO_SUPPORTED_PUBKEYCREDPARAMS_ALG':
      return 'This device can’t store a passkey. Set up a screen lock or PIN on it, or use your phone.'
    case 'ERROR_INVALID_DOMAIN':
    case 'ERROR_INVALID_RP_ID':
      return `Passkeys don’t work at this address. Open the app at ${home()}.`
    default:
      return 'No passkey was used: the request was canceled, timed out, or found no passkey.'
  }
}

function waitOf(seconds: number): string {
  const [count, unit] = seconds < 90 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute']
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(count)
}
