import type { Deps } from '../../deps.js'
import { AccountsError, fieldError, invalidInput } from '../../errors.js'
import { replacementName } from '../../identifiers/address-name.js'
import type { EmailAddress } from '../../identifiers/email.js'
import { DuplicateError } from '../../seams/store-errors.js'
import { addressKey } from '../../throttle/throttle.js'
import {
  type AccountOrigin,
  type AccountUser,
  freshUser,
  type StoredUser,
  type UserFields,
} from '../../user.js'
import type { Actor } from '../../users/change.js'
import { checkInput } from '../../users/create.js'
import { spendAsIfTaken } from '../../users/create-or-pretend.js'
import { type Invitation, invitedWith } from '../../users/invitation.js'
import { checkMayInvite } from './invited/check-may-invite.js'
import { invitedChanges, newInvitation } from './invited/invited-changes.js'
import { isInvitable } from './invited/is-invitable.js'

/** Whom to invite, and what they get. */
export interface InvitationInput {
  /** One plain address. */
  email: string
  /** Your own fields. Default: none. */
  fields?: UserFields | undefined
  /** Names of roles in the option `roles`. Default: none. */
  roles?: readonly string[] | undefined
}

export type InviteDeps = Pick<Deps, 'users' | 'options' | 'postOffice' | 'throttle'>

/**
 * Invites an address. What it gives is kept with the account, and takes effect with the first proof of the address. An
 * account that nobody has proven goes on as it is until then; the owner of a proven one is told, and nothing changes. A
 * second invitation ends the first one's link, and only adds to it. Over the limit of emails, the last one's link stays.
 * @param lifetime in milliseconds
 * @returns the user; `null` if the address has an account. A response must not depend on it
 * @throws AccountsError ACCOUNTS_FORBIDDEN, ACCOUNTS_INVALID_INPUT, ACCOUNTS_CONFLICT
 */
export async function invite(
  deps: InviteDeps,
  actor: Actor<AccountUser>,
  { email, fields = {}, roles = [] }: InvitationInput,
  lifetime: number,
): Promise<StoredUser | null> {
  const { users, options, postOffice, throttle } = deps
  await checkMayInvite(deps, actor, roles)
  const username = options.names === 'required' ? replacementName().username : undefined
  // Checking adds the defaults of the schema, which the invitation doesn't give.
  const checked = isRecord(fields) ? { ...fields } : fields
  const address = checkInput({ username, email: email ?? null, fields: checked, roles }, options)
  if (address === null) throw invalidInput(fieldError('email', 'required'))
  const [chosen, defaults] = parted(checked, (name) => Object.hasOwn(fields, name))
  const grant = { fields: chosen, roles: [...roles] }
  // Not at delivery: a link that is emailed to nobody must not end the one that was.
  const isMailed = await throttle.allows('invitationMails', addressKey(address.emailKey))
  const origin = actor === 'host' ? 'host' : 'staff'
  const newUser = await create(deps, address, { ...grant, defaults }, { lifetime, isMailed, origin })
  if (newUser !== null) {
    // For the host it is no secret.
    if (actor !== 'host') await spendAsIfTaken(deps, newUser)
    return newUser
  }
  const owner = await users.findByEmail(address.emailKey)
  const renewable = owner === null ? [] : await renewableRoles(deps, actor, owner)
  const changed =
    owner &&
    isInvitable(owner, options) &&
    (await users.change(
      owner,
      (current) =>
        current.emailKey === address.emailKey && isInvitable(current, options)
          ? invitedChanges(current, grant, {
              lifetime,
              isMailed,
              isRenewed: invitedWith(current).roles.every((role) => renewable.includes(role)),
            })
          : null,
      { messages: (later) => (isMailed ? postOffice.about('invitation', later) : []) },
    ))
  if (changed) return changed
  if (isMailed) await postOffice.post(postOffice.toOwner('invitation-known', address.emailKey))
  return null
}

/** The roles of an earlier invitation, if the actor may give them: otherwise it lasts no longer than it did. */
async function renewableRoles(
  deps: InviteDeps,
  actor: Actor<AccountUser>,
  owner: StoredUser,
): Promise<readonly string[]> {
  const { roles } = invitedWith(owner)
  try {
    await checkMayInvite(deps, actor, roles)
    return roles
  } catch (error) {
    if (error instanceof AccountsError && error.code === 'ACCOUNTS_FORBIDDEN') return []
    throw error
  }
}

function parted(fields: UserFields, isFirst: (name: string) => boolean): [UserFields, UserFields] {
  const entries = Object.entries(fields)
  const first = entries.filter(([name]) => isFirst(name))
  return [Object.fromEntries(first), Object.fromEntries(entries.filter(([name]) => !isFirst(name)))]
}

// Scripts call this as well, and not all of them are typed.
const isRecord = (value: unknown): value is UserFields => typeof value === 'object' && value !== null

/** `null` if the address is taken. */
async function create(
  { users, options, postOffice }: InviteDeps,
  { email, emailKey }: EmailAddress,
  { defaults, ...grant }: Pick<Invitation, 'fields' | 'roles'> & { defaults: UserFields },
  { lifetime, isMailed, origin }: { lifetime: number; isMailed: boolean; origin: AccountOrigin },
): Promise<StoredUser | null> {
  const bare = freshUser({
    origin,
    ...(options.names === 'required' ? replacementName() : { username: null, usernameKey: null }),
    email,
    emailKey,
    fields: defaults,
  })
  const user = { ...bare, ...newInvitation(bare, grant, lifetime, true) }
  try {
    return await users.create(user, isMailed ? postOffice.about('invitation', user) : [])
  } catch (error) {
    if (error instanceof DuplicateError && error.field === 'email') return null
    throw error
  }
}
