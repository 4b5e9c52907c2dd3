import { AccountsError } from 'fastify-accounts'
import { type Client, fieldError, type PageTheme, type Result } from 'fastify-accounts/features'
import type { ProviderDeps } from './deps.js'
import type { Flow } from './flow.js'
import type { Issuer } from './issuer.js'
import { movingOnPage } from './pages.js'

/** @throws AccountsError ACCOUNTS_NOT_FOUND */
export function issuerOf({ issuers }: Pick<ProviderDeps, 'issuers'>, name: string): Issuer {
  const issuer = issuers.get(name)
  if (issuer === undefined) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  return issuer
}

/** The routes by which an app begins a flow in the system browser. */
export const appRouteNames = {
  'log-in': 'login-with-app',
  link: 'identity-app',
  confirm: 'confirm-with-app',
} as const satisfies Record<Flow['purpose'], string>

/**
 * Begins a flow, once its destination is known.
 * @throws AccountsError ACCOUNTS_INVALID_INPUT for a client with tokens: the browser that comes back wouldn't have the flow
 */
export async function goToProvider(
  { flows, where }: Pick<ProviderDeps, 'flows' | 'where'>,
  client: Client,
  issuer: Issuer,
  beginning: Pick<Flow, 'next' | 'remember' | 'purpose' | 'login' | 'app' | 'transient'>,
): Promise<Result> {
  const provider = issuer.provider.name
  if (client.delivery === 'tokens') throw needsBrowser(where, beginning.purpose, issuer)
  const redirectUri = where.url('login-with-callback', { provider }) ?? ''
  const flow = flows.make({ ...beginning, provider, redirectUri })
  const location = await issuer.authorizationUrl(flow, beginning.purpose === 'confirm')
  flows.keep(client, flow)
  return { body: { location }, redirect: location }
}

function needsBrowser(
  where: ProviderDeps['where'],
  purpose: Flow['purpose'],
  { provider: { name }, label }: Issuer,
): AccountsError {
  const url = where.url(appRouteNames[purpose], { provider: name })
  const message =
    url === undefined
      ? 'apps with tokens need the option appRedirectUris of providers()'
      : `apps with tokens open ${url} in the system browser`
  return new AccountsError('ACCOUNTS_INVALID_INPUT', {
    reason: 'needs_browser',
    provider: label,
    fields: [fieldError('', 'invalid', { message })],
  })
}

/** The same from a page of ours: browsers apply its policy for forms to the redirects that follow, so a page moves on by itself. */
export function fromPage(
  client: Client,
  { label }: Pick<Issuer, 'label'>,
  { body, redirect = '' }: Result,
): Result {
  const page = (theme: PageTheme) => movingOnPage(theme, label, redirect)
  return client.prefersPage ? { page, refresh: redirect } : { ...(body && { body }) }
}
