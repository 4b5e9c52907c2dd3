import type { EmailAddress, UserFields } from 'fastify-accounts'
import { askSignUp, type Client, invalidInput } from 'fastify-accounts/features'
import type { ProviderDeps } from './deps.js'
import type { Return } from './flow-return.js'
import type { Newcomer } from './newcomer.js'
import { ownFields } from './own-fields.js'

/**
 * Asks the app's rule about a new user, once for each sign-up: what it grants is kept until the address is proven. It is asked
 * about invitations apart.
 * @param handsOver whether they get an account that was there: the provider has proved its address, and nobody had
 * @param isInvited whether an invitation lets them in, which asks for nothing that a sign-up carries
 * @throws AccountsError ACCOUNTS_INVALID_INPUT if the flow doesn't carry what a sign-up requires; RuleError
 */
export async function askRule(
  deps: Pick<ProviderDeps, 'options' | 'rules'>,
  client: Client,
  { issuer, profile, flow: { transient = {} } }: Return,
  address: EmailAddress | null,
  { handsOver = false, isInvited = false }: { handsOver?: boolean; isInvited?: boolean } = {},
): Promise<Pick<Newcomer, 'fields'> & { grantedFields: UserFields; roles: readonly string[] }> {
  const fields = ownFields(deps, issuer, profile)
  const faults = handsOver || isInvited ? [] : deps.options.checkSignUpFields(transient)
  if (faults.length > 0) throw invalidInput(...faults)
  const provider = issuer.provider.name
  const facts = { method: 'provider', provider, address, fields, transient } as const
  const granted = await askSignUp(deps, client, facts, handsOver)
  return { fields, grantedFields: granted.fields, roles: granted.roles }
}
