import type { Deps } from '../../deps.js'
import { AccountsError, fieldError, invalidInput } from '../../errors.js'
import { replacementName } from '../../identifiers/address-name.js'
import type { EmailAddress } from '../../identifiers/email.js'
import type { Invitation } from '../../seams/invitation-store.js'
import type { AccountUser, JsonValue, UserFields } from '../../user.js'
import type { Actor } from '../../users/change.js'
import { checkInput } from '../../users/create.js'
import { checkMayInvite } from '../../users/invitations/check-may-invite.js'
import { isExpired, targetOf } from '../../users/invitations/invitation.js'
import { storeInvitation } from './invited/store-invitation.js'

/** Whom to invite, and what they get. */
export interface InvitationInput<Role extends string = string> {
  /** One plain address. */
  email: string
  /** Your own fields. Default: none. */
  fields?: UserFields | undefined
  /** Names of roles in the option `roles`. Default: none. */
  roles?: readonly Role[] | undefined
}

export type InviteDeps = Pick<Deps, 'users' | 'options' | 'invitations' | 'postOffice' | 'throttle'>

/** How many open invitations an address can have, of all inviters. */
export const mostOfAddress = 100

/** About how many invitations somebody can have: requests at the same time may exceed it. */
const mostOfInviter = 500

/**
 * Invites an address, whether or not it has an account: the work is the same. A second invitation by the same inviter replaces
 * the first one and ends its link; nobody else's changes.
 * @param lifetime in milliseconds
 * @throws AccountsError ACCOUNTS_FORBIDDEN, ACCOUNTS_INVALID_INPUT; ACCOUNTS_THROTTLED if this inviter has emailed the address too
 * often; ACCOUNTS_CONFLICT if the address or the inviter has too many, or it is being accepted
 */
export async function invite(
  deps: InviteDeps,
  actor: Actor<AccountUser>,
  input: InvitationInput,
  lifetime: number,
): Promise<Invitation> {
  const { fields = {}, roles = [] } = input
  await checkMayInvite(deps, actor, roles)
  const address = checkAddress(deps, { ...input, fields, roles })
  const inviterId = actor === 'host' ? null : actor.id
  const target = targetOf(deps.options)
  const gives = { fields, roles: [...roles] } as JsonValue
  return storeInvitation(
    deps,
    { ...address, target, inviterId, gives },
    { lifetime, checkRoom: (ofAddress) => checkRoom(deps, ofAddress, inviterId) },
  )
}

/** @throws AccountsError ACCOUNTS_INVALID_INPUT */
function checkAddress(
  { options }: Pick<Deps, 'options'>,
  { email, fields, roles }: Required<InvitationInput>,
): EmailAddress {
  const username = options.names === 'required' ? replacementName().username : undefined
  // Checking adds the defaults of the schema, which the invitation doesn't give.
  const copied = isRecord(fields) ? { ...fields } : fields
  const address = checkInput({ username, email: email ?? null, fields: copied, roles }, options)
  if (address === null) throw invalidInput(fieldError('email', 'required'))
  return address
}

// Scripts call this as well, and not all of them are typed.
const isRecord = (value: unknown): value is UserFields => typeof value === 'object' && value !== null

/** @throws AccountsError ACCOUNTS_CONFLICT */
async function checkRoom(
  { invitations, options }: Pick<Deps, 'invitations' | 'options'>,
  ofAddress: readonly Invitation[],
  inviterId: string | null,
): Promise<void> {
  const target = targetOf(options)
  const open = ofAddress.filter((each) => each.target === target && !isExpired(each))
  const own = inviterId === null ? [] : await invitations.list({ target, inviterId, limit: mostOfInviter })
  if (open.length >= mostOfAddress || own.length >= mostOfInviter)
    throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'too_many_invitations' })
}
