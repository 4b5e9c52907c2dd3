import type { EmailAddress, StoredUser, UserFields } from 'fastify-accounts'
import { askSignUp, type Client, fieldsWithin, invalidInput, invitationOf } from 'fastify-accounts/features'
import type { ProviderDeps } from './deps.js'
import type { Return } from './flow-return.js'
import type { Newcomer } from './newcomer.js'
import { ownFields } from './own-fields.js'

/** What a provider and the app's rule give to a newcomer, and the invitation that the rule has seen. */
interface RuledNewcomer extends Pick<Newcomer, 'fields' | 'invitation'> {
  grantedFields: UserFields
  roles: readonly string[]
}

/**
 * Asks the app's rule about a new user, once for each sign-up: what it grants is kept until the address is proven.
 * @param owner the account that is handed over: the provider has proved its address, and nobody had
 * @throws AccountsError ACCOUNTS_INVALID_INPUT if the flow doesn't carry what a sign-up requires; RuleError
 */
export async function askRule(
  deps: Pick<ProviderDeps, 'options' | 'rules'>,
  client: Client,
  { issuer, profile, flow: { transient = {} } }: Return,
  address: EmailAddress | null,
  owner?: StoredUser,
): Promise<RuledNewcomer> {
  const fields = ownFields(deps, issuer, profile)
  const faults = owner ? [] : deps.options.checkSignUpFields(transient)
  if (faults.length > 0) throw invalidInput(...faults)
  const invited = owner ? invitationOf(owner) : null
  const granted = await askSignUp(
    deps,
    client,
    {
      ...{ method: 'provider', provider: issuer.provider.name, address, transient },
      ...invitedTo(fields, invited),
    },
    owner !== undefined,
  )
  return { fields, grantedFields: granted.fields, roles: granted.roles, invitation: invited?.id }
}

/**
 * Asks it again about somebody who has proven the address of an account, if they are invited with something else than it
 * has seen: an invitation has come since, or has ended.
 * @param owner `null` if there is no account at the address anymore
 * @throws AccountsError ACCOUNTS_UNAVAILABLE; RuleError
 */
export async function askAnew(
  deps: Pick<ProviderDeps, 'rules'>,
  client: Client,
  owner: StoredUser | null,
  newcomer: Newcomer,
): Promise<Newcomer> {
  const { identity, address, fields, invitation } = newcomer
  const invited = owner && invitationOf(owner)
  if (invited?.id === invitation) return newcomer
  const granted = await askSignUp(
    deps,
    client,
    { method: 'provider', provider: identity.provider, address, ...invitedTo(fields, invited) },
    true,
  )
  // What it gave for an invitation that has ended is void; otherwise it saw what only the sign-up carried.
  const { roles = [], grantedFields } = invitation === undefined ? newcomer : {}
  return {
    ...newcomer,
    grantedFields: { ...grantedFields, ...granted.fields },
    roles: [...roles, ...granted.roles],
    invitation: invited?.id,
  }
}

type Invited = ReturnType<typeof invitationOf>

function invitedTo(fields: UserFields, invited: Invited): Pick<Newcomer, 'fields'> & { roles: string[] } {
  return { roles: invited?.roles ?? [], fields: fieldsWithin(invited?.fields ?? {}, fields) }
}
