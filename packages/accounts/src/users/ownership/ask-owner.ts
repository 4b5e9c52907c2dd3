import { isDeepStrictEqual } from 'node:util'
import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import { isReplacementName } from '../../identifiers/address-name.js'
import type { SignUpMethod } from '../../seams/before.js'
import type { Client } from '../../sessions/client.js'
import { holdsPassword, type StoredUser, type UserChanges, withChanges } from '../../user.js'
import { askSignUp, type SignUpFacts } from '../ask-sign-up.js'
import { invitedWith, isLapsed } from '../invitation.js'
import { asksRule, changesHands, type OwnershipEvent, ownershipChanges } from './table.js'
import type { Brought } from './verbs.js'

export type AskDeps = Pick<Deps, 'rules' | 'options'>

/**
 * The changes of an event for a record; `null` if its state refuses the event.
 * @throws AccountsError ACCOUNTS_CONFLICT if it would give anything else than what the app's rule has seen
 */
export type OwnerChanges = (current: StoredUser, also?: Brought) => UserChanges | null

/**
 * Asks the app's rule about somebody who has just proven the address of an account, with what they will be given. Its maker
 * was asked about at the sign-up, so here only if an invitation gives something.
 * @param how they log in from now on
 * @throws AccountsError ACCOUNTS_INVALID_LINK, or ACCOUNTS_INVALID_CODE for a code, if the account was made for an
 * invitation that has expired; ACCOUNTS_UNAVAILABLE; RuleError
 */
export async function askOwner(
  deps: AskDeps,
  client: Client,
  event: OwnershipEvent,
  how: Pick<SignUpFacts, 'method' | 'provider'>,
  user: StoredUser,
  brought: Brought = {},
): Promise<OwnerChanges> {
  if (isLapsed(user))
    throw new AccountsError(how.method === 'email-code' ? 'ACCOUNTS_INVALID_CODE' : 'ACCOUNTS_INVALID_LINK')
  if (deps.rules.signUp === undefined)
    return (current, also) => ownershipChanges(event, current, deps.options, { ...brought, ...also })
  const gifts = giftsOf(deps, event, user, brought)
  const { email, emailKey } = user
  const isAsked = gifts !== null && email !== null && emailKey !== null
  const granted = isAsked
    ? await askSignUp(deps, client, { ...how, address: { email, emailKey }, ...gifts }, true)
    : undefined
  return (current, also) => {
    if (!isDeepStrictEqual(giftsOf(deps, event, current, brought), gifts))
      throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'changed_meanwhile' })
    return ownershipChanges(event, current, deps.options, { ...brought, ...also, granted })
  }
}

/** How the maker of an account logs in to it. */
export function makersMethod(user: StoredUser): SignUpMethod {
  if (holdsPassword(user)) return 'password'
  return user.credentials.some(({ kind }) => kind === 'passkey') ? 'passkey' : 'email'
}

/** What the rule decides about; `null` if nothing. */
function giftsOf(
  { options }: Pick<Deps, 'options'>,
  event: OwnershipEvent,
  user: StoredUser,
  brought: Brought,
): Pick<SignUpFacts, 'username' | 'fields' | 'roles'> | null {
  const invited = invitedWith(user)
  const isInvited = invited.roles.length + Object.keys(invited.fields).length > 0
  if (!asksRule(event, user) || !(isInvited || changesHands(event, user))) return null
  const { username, fields } = withChanges(user, ownershipChanges(event, user, options, brought) ?? {})
  return { username: isReplacementName(username) ? null : username, fields, roles: invited.roles }
}
