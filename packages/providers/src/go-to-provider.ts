import { AccountsError } from 'fastify-accounts'
import type { Client, Result } from 'fastify-accounts/features'
import type { ProviderDeps } from './deps.js'
import type { Flow } from './flow.js'
import type { Issuer } from './issuer.js'

/** @throws AccountsError ACCOUNTS_NOT_FOUND */
export function issuerOf({ issuers }: Pick<ProviderDeps, 'issuers'>, name: string): Issuer {
  const issuer = issuers.get(name)
  if (issuer === undefined) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  return issuer
}

/** Begins a flow, once its destination is known. */
export async function goToProvider(
  { flows, where }: Pick<ProviderDeps, 'flows' | 'where'>,
  client: Client,
  issuer: Issuer,
  beginning: Pick<Flow, 'next' | 'remember' | 'purpose' | 'login' | 'app' | 'transient'>,
): Promise<Result> {
  const provider = issuer.provider.name
  const redirectUri = where.url('login-with-callback', { provider }) ?? ''
  const flow = flows.make({ ...beginning, provider, redirectUri })
  const location = await issuer.authorizationUrl(flow, beginning.purpose === 'confirm')
  flows.keep(client, flow)
  return { body: { location }, redirect: location }
}
