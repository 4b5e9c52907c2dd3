import { AccountsError } from 'fastify-accounts'
import type { Flow } from './flow.js'
import { labelOf, type Named } from './identity.js'
import type { Issuer, Login } from './issuer.js'

/**
 * An identity that somebody has proved in the browser. Whose account it is linked with, or confirms, is decided in the app:
 * by the login with which the app sends the code.
 */
export interface AppIdentity extends Pick<Login, 'issuer' | 'subject' | 'methods'> {
  purpose: 'link' | 'confirm'
  /** The name of the provider. */
  provider: string
  /** What its owner knows it by: the code is in a URL, so no more of the profile. */
  label: string | null
  authenticatedAt: number | null
  /** When the flow began. */
  begin: number
}

export function appIdentityOf(
  { provider, begin }: Flow,
  purpose: AppIdentity['purpose'],
  profile: Login,
): AppIdentity {
  const { issuer, subject, methods, authenticatedAt } = profile
  return {
    ...{ issuer, subject, purpose, provider, methods, begin },
    label: labelOf(profile),
    authenticatedAt: authenticatedAt?.getTime() ?? null,
  }
}

/**
 * The login that it stands for. Tokens of the provider have no room in a code, so none are kept.
 * @throws AccountsError ACCOUNTS_LOGIN_EXPIRED if it is of another provider
 */
export function loginAt(
  { provider }: Pick<Issuer, 'provider'>,
  proven: AppIdentity,
): Named & Pick<Login, 'methods' | 'authenticatedAt' | 'tokens'> {
  if (proven.provider !== provider.name) throw new AccountsError('ACCOUNTS_LOGIN_EXPIRED')
  const { issuer, subject, label, methods, authenticatedAt } = proven
  return {
    ...{ issuer, subject, methods },
    ...{ email: null, username: null, name: label },
    authenticatedAt: authenticatedAt === null ? null : new Date(authenticatedAt),
    tokens: null,
  }
}
