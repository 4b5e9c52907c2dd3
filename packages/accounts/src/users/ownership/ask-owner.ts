import { isDeepStrictEqual } from 'node:util'
import type { Deps } from '../../deps.js'
import { changedMeanwhile } from '../../errors.js'
import { isReplacementName } from '../../identifiers/address-name.js'
import { nothingGranted, type SignUpMethod } from '../../seams/before.js'
import type { Invitation } from '../../seams/invitation-store.js'
import type { Client } from '../../sessions/client.js'
import { holdsPassword, type StoredUser, type UserChanges, withChanges } from '../../user.js'
import { fieldsWithin } from '../../validation.js'
import { askSignUp, type SignUpFacts } from '../ask-sign-up.js'
import { acceptAlong, type ClaimedInvitations } from '../invitations/accept-along.js'
import { findAcceptances } from '../invitations/ask-about.js'
import { giftOf } from '../invitations/invitation.js'
import { type ChangesForNewest, enteredLast, type NewestDeps, writeWithNewest } from './newest-sign-up.js'
import {
  accountAfter,
  changesHands,
  isByMaker,
  type OwnershipEvent,
  ownershipChanges,
  takesInvitations,
  takesNewest,
} from './table.js'
import type { Brought } from './verbs.js'

export type AskDeps = Pick<Deps, 'rules' | 'invitations'> & NewestDeps

/**
 * The changes of an event for a record; `null` if its state refuses the event.
 * @throws AccountsError ACCOUNTS_CONFLICT if it would give anything else than what the app's rule has seen
 */
export type OwnerChanges = (current: StoredUser, also?: Brought) => UserChanges | null

/** How somebody proves an address, and what for. */
export interface Proving extends Pick<SignUpFacts, 'provider'> {
  /** What the app's rule is told. Default: how the maker of the account logs in. */
  method?: SignUpMethod
  /** Whether they have shown what lets its maker in, so that stays. Default `false`. */
  keepsAccess?: boolean
  /** The invitation whose link they use: the app's rule is asked about it along with the account. Default: none. */
  invitation?: Invitation | undefined
}

/**
 * Asks the app's rule about somebody who has just proven the address of an account that may be somebody else's, and about each
 * invitation of the address. In the browser of several sign-ups the account becomes the newest, or gets its name if it isn't its
 * maker's and they choose none.
 * @returns runs a write of the account, which gets its changes
 * @throws AccountsError ACCOUNTS_UNAVAILABLE; RuleError
 */
export async function askOwner(
  deps: AskDeps,
  client: Client,
  event: OwnershipEvent,
  { invitation, method, provider = null, keepsAccess = false }: Proving,
  owner: StoredUser,
  chosen: Brought = {},
): Promise<
  <Written extends StoredUser | null>(
    write: (changesFor: OwnerChanges) => Promise<Written>,
  ) => Promise<Written>
> {
  const isMakers = isByMaker(event)
  const isRenewed = !keepsAccess && takesNewest(event, owner)
  const enteredOf = (newest: UserChanges): UserChanges => (isMakers ? newest : {})
  const broughtWith = ({ username }: UserChanges): Brought => ({
    ...chosen,
    username: chosen.username ?? (isMakers ? undefined : username),
  })
  const newest = isRenewed ? await enteredLast(deps, client, owner) : {}
  const user = withChanges(owner, enteredOf(newest))
  const brought = broughtWith(newest)
  const gifts = giftsOf(deps, event, user, brought)
  const { email, emailKey } = user
  const address = email === null || emailKey === null ? null : { email, emailKey }
  const gift = invitation && giftOf(invitation)
  const granted =
    gifts === null || address === null
      ? nothingGranted
      : await askSignUp(
          deps,
          client,
          {
            method: method ?? makersMethod(user),
            provider,
            address,
            ...gifts,
            ...(gift && { fields: fieldsWithin(gifts.fields, gift.fields), roles: gift.roles }),
          },
          true,
        )
  const others =
    address !== null && event !== 'accepted' && takesInvitations(event, user)
      ? await findAcceptances(
          deps,
          client,
          {
            ...address,
            username: gifts?.username ?? shown(user.username),
            handsOver: changesHands(event, user),
          },
          invitation?.id,
        )
      : []
  const acceptances = invitation === undefined ? others : [{ invitation, granted: nothingGranted }, ...others]

  const changesWith =
    (claim: ClaimedInvitations, newestFor: ChangesForNewest): OwnerChanges =>
    (current, also) => {
      claim.assertInTime()
      if (invitation !== undefined) claim.assertHas(invitation)
      const newest = newestFor(current)
      const entered = enteredOf(newest)
      const renewed = withChanges(current, entered)
      if (!isDeepStrictEqual(giftsOf(deps, event, renewed, brought), gifts)) throw changedMeanwhile()
      const { acceptances } = claim
      const all = { ...broughtWith(newest), ...also, granted, acceptances }
      const changes = ownershipChanges(event, renewed, deps.options, all)
      return changes && { ...entered, ...changes }
    }
  return (write) =>
    acceptAlong(deps, acceptances, (claim) =>
      isRenewed
        ? writeWithNewest(deps, client, owner, (newestFor) => write(changesWith(claim, newestFor)))
        : write(changesWith(claim, () => ({}))),
    )
}

/** How the maker of an account logs in to it. */
function makersMethod(user: StoredUser): SignUpMethod {
  if (holdsPassword(user)) return 'password'
  return user.credentials.some(({ kind }) => kind === 'passkey') ? 'passkey' : 'email'
}

/** What the rule decides about; `null` if nothing: nobody else gets the account, or there is no rule. */
function giftsOf(
  { options, rules }: Pick<Deps, 'options' | 'rules'>,
  event: OwnershipEvent,
  user: StoredUser,
  brought: Brought,
): Pick<SignUpFacts, 'username' | 'fields'> | null {
  if (rules.signUp === undefined || !changesHands(event, user)) return null
  const { username, fields } = accountAfter(event, user, options, brought)
  return { username: shown(username), fields }
}

/** Nobody chose a replacement name. */
const shown = (username: string | null): string | null => (isReplacementName(username) ? null : username)
