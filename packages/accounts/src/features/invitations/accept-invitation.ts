import type { Deps } from '../../deps.js'
import { AccountsError, attributed, changedMeanwhile, fieldError, invalidInput } from '../../errors.js'
import { hasAccepted } from '../../notes.js'
import { nothingGranted } from '../../seams/before.js'
import type { Invitation } from '../../seams/invitation-store.js'
import { isDuplicate } from '../../seams/store-errors.js'
import type { Client } from '../../sessions/client.js'
import type { LinkParts } from '../../tokens/email-link.js'
import type { NewUser, StoredUser, User } from '../../user.js'
import {
  accessFaults,
  type ChooseDeps,
  choosePassword,
  makeKnown,
  type NewPasswordChoice,
  type PasswordProof,
  type TakeProof,
  takeAccess,
} from '../../users/choose-password.js'
import { addressAlone, type Beginning, newUser, storeUser } from '../../users/create.js'
import { acceptAlong } from '../../users/invitations/accept-along.js'
import { askAboutInvitation, findAcceptances } from '../../users/invitations/ask-about.js'
import { giftOf, noGift } from '../../users/invitations/invitation.js'
import { withInvitations } from '../../users/invitations/with-invitations.js'
import { askOwner } from '../../users/ownership/ask-owner.js'
import { isProven } from '../../users/ownership/states.js'
import { type Brought, takeGranted } from '../../users/ownership/verbs.js'
import { missingUsername } from './invited/check-acceptance.js'
import { checkMayJoin } from './invited/check-may-join.js'
import { targetFactsOf } from './invited/find-invitee.js'
import { openInvitation } from './invited/open-invitation.js'

/** What somebody chooses who isn't logged in: a name, and a password or what they log in with instead. */
export interface AcceptChoice extends Pick<Brought, 'username' | 'profile'> {
  password?: string | undefined
  confirmPassword?: string | undefined
  takeProof?: TakeProof | undefined
}

type AcceptDeps = ChooseDeps & Deps

/**
 * Accepts an invitation with its link, which proves the address. Somebody without an account gets one. An account that nobody
 * has proven becomes theirs, without what somebody else may have put there. Who has proven theirs must be logged in to it.
 * @param who is logged in
 * @returns their account, to which nobody is logged in by this
 * @throws AccountsError ACCOUNTS_INVALID_LINK, ACCOUNTS_LOGIN_REQUIRED; ACCOUNTS_FORBIDDEN if they are logged in to another
 * account (`other_account`), or may not create one (`sign_up_closed`); what `choosePassword` throws
 */
export async function acceptInvitation(
  deps: AcceptDeps,
  client: Client,
  who: User | null,
  parts: LinkParts,
  choice: AcceptChoice,
): Promise<StoredUser> {
  const { invitation, owner } = await openInvitation(deps, parts)
  const target = targetFactsOf(deps, invitation)
  const accepted = await attributed(owner, async () => {
    if (owner !== null && isProven(owner)) return acceptAsOwner(deps, client, who, owner, invitation)
    const access = accessIn(deps, owner, choice)
    return owner === null
      ? signUpByInvitation(deps, client, invitation, access)
      : takeOver(deps, client, owner, invitation, access)
  }).catch((error: unknown) => {
    // Somebody else was faster with the same credential.
    throw isDuplicate(error, 'identity') ? changedMeanwhile() : error
  })
  // If it fails, the account is there all the same, and the invitation still open.
  if (target !== null) await attributed(accepted, () => target.accept(invitation, accepted, deps))
  return accepted
}

/** @throws AccountsError ACCOUNTS_INVALID_INPUT */
function accessIn(
  deps: Pick<Deps, 'options'>,
  owner: StoredUser | null,
  { username, profile, password, confirmPassword, takeProof }: AcceptChoice,
): NewPasswordChoice {
  const faults = missingUsername(deps.options, owner, username)
  if (takeProof !== undefined && faults.length === 0) return { username, profile, takeProof }
  if (takeProof === undefined) {
    if (password === undefined) faults.push(fieldError('new_password', 'required'))
    if (confirmPassword === undefined) faults.push(fieldError('confirm_password', 'required'))
  }
  if (password === undefined || faults.length > 0) throw invalidInput(...faults)
  return { username, profile, password, confirmPassword }
}

/** @throws AccountsError ACCOUNTS_LOGIN_REQUIRED, ACCOUNTS_FORBIDDEN, ACCOUNTS_INVALID_LINK */
async function acceptAsOwner(
  deps: AcceptDeps,
  client: Client,
  who: User | null,
  owner: StoredUser,
  invitation: Invitation,
): Promise<StoredUser> {
  if (who === null) throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
  if (who.id !== owner.id) throw new AccountsError('ACCOUNTS_FORBIDDEN', { reason: 'other_account' })
  if (who.sessionEpoch !== owner.sessionEpoch) throw changedMeanwhile()
  if (ownOf(deps, invitation) === undefined) return owner
  const giving = await askOwner(deps, client, 'accepted', { method: 'invitation', invitation }, owner)
  const changed = await giving((changesFor) =>
    deps.users.change(owner, (current) =>
      current.sessionEpoch === who.sessionEpoch && current.emailKey === invitation.emailKey
        ? changesFor(current)
        : null,
    ),
  )
  if (changed === null || !hasAccepted(changed, invitation.id)) throw changedMeanwhile()
  return changed
}

/** An account at the address that nobody has shown to be theirs becomes theirs. */
async function takeOver(
  deps: AcceptDeps,
  client: Client,
  owner: StoredUser,
  invitation: Invitation,
  choice: NewPasswordChoice,
): Promise<StoredUser> {
  const proof: PasswordProof = {
    user: owner,
    eventFor: () => 'proved-elsewhere',
    method: 'invitation',
    invitation: ownOf(deps, invitation),
    async use(changesFor, messages) {
      const takes = (current: StoredUser) =>
        current.emailKey === invitation.emailKey && !isProven(current) ? changesFor(current) : null
      const changed = await deps.users.change(owner, takes, { messages })
      if (changed === null) throw changedMeanwhile()
      return changed
    },
  }
  return makeKnown(deps, client, await choosePassword(deps, client, proof, choice))
}

/** An invitation to an account; `undefined` for one to something else, which never gives the account anything. */
const ownOf = (deps: AcceptDeps, invitation: Invitation): Invitation | undefined =>
  targetFactsOf(deps, invitation) === null ? invitation : undefined

async function signUpByInvitation(
  deps: AcceptDeps,
  client: Client,
  invitation: Invitation,
  { username = null, profile: _, ...access }: NewPasswordChoice,
): Promise<StoredUser> {
  await checkMayJoin(deps, invitation)
  const { email, emailKey } = invitation
  const own = ownOf(deps, invitation)
  // Checking adds the defaults of the schema.
  const input = { username, email, fields: { ...(own && giftOf(own).fields) }, isVerified: true }
  const beginning: Beginning = { input, proof: addressAlone, caller: 'known', granted: nothingGranted }
  const invitee = { email, emailKey, username, handsOver: false }
  const fresh = await newUser(deps, beginning)
  const faults = accessFaults(deps.options, access, invitee)
  if (faults.length > 0) throw invalidInput(...faults)
  const granted = await askAboutInvitation(deps, client, invitee, own ?? { gives: noGift })
  const others = await findAcceptances(deps, client, invitee, invitation.id)
  const grants = own === undefined ? takeGranted(fresh, { granted }) : {}
  const withAccess = { ...fresh, ...grants, ...(await takeAccess(deps, access, invitee)) } as NewUser
  const all = own === undefined ? others : [{ invitation: own, granted }, ...others]
  const user = await acceptAlong(deps, all, (claim) => {
    if (own !== undefined) claim.assertHas(own)
    claim.assertInTime()
    return storeUser(deps, withInvitations(withAccess, claim.acceptances, deps.options), [])
  }).catch((error: unknown) => {
    const isTaken = error instanceof AccountsError && error.code === 'ACCOUNTS_EMAIL_TAKEN'
    throw isTaken ? changedMeanwhile() : error
  })
  return makeKnown(deps, client, user)
}
