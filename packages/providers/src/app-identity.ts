import { AccountsError } from 'fastify-accounts'
import type { Flow } from './flow.js'
import type { Named } from './identity.js'
import type { Issuer, Login } from './issuer.js'

/**
 * An identity that somebody has proved in the browser. Whose account it is linked with, or confirms, is decided in the app:
 * by the login with which the app sends the code.
 */
export interface AppIdentity extends Named, Pick<Login, 'methods'> {
  purpose: 'link' | 'confirm'
  /** The name of the provider. */
  provider: string
  authenticatedAt: number | null
  /** When the flow began. */
  begin: number
}

export function appIdentityOf(
  { provider, begin }: Flow,
  purpose: AppIdentity['purpose'],
  { issuer, subject, email, username, name, methods, authenticatedAt }: Login,
): AppIdentity {
  const named = { issuer, subject, email, username, name }
  return {
    ...{ ...named, purpose, provider, methods, begin },
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
  const { authenticatedAt } = proven
  return {
    ...proven,
    authenticatedAt: authenticatedAt === null ? null : new Date(authenticatedAt),
    tokens: null,
  }
}
