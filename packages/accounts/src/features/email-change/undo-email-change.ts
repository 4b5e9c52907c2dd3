import type { Deps } from '../../deps.js'
import { AccountsError, changedMeanwhile } from '../../errors.js'
import { followingName } from '../../identifiers/address-name.js'
import type { EmailAddress } from '../../identifiers/email.js'
import type { RememberedDevices } from '../../logins/remembered-devices.js'
import { DuplicateError } from '../../seams/store-errors.js'
import type { LinkParts, OpenedLink } from '../../tokens/email-link.js'
import type { StoredUser, UserChanges } from '../../user.js'
import { withoutAddress } from '../../users/address.js'
import { changeByLink } from '../../users/change-by-link.js'
import { withdrawingSince } from '../../users/invitations/withdraw-since.js'
import { ownershipChanges } from '../../users/ownership/table.js'
import { earliestReported } from '../../users/ownership/verbs.js'
import { recoveryMails, withNote } from '../../users/removed.js'

/** Somebody may keep taking the address at the same moment. */
const maxAttempts = 5

/**
 * Gives an account its old address back, for the person who reads that address's emails: everybody is logged out,
 * the password is disabled, and a reset link is emailed. What the account has invited lately is withdrawn.
 * @param address the old one, as the link says
 * @throws AccountsError ACCOUNTS_INVALID_LINK; ACCOUNTS_EMAIL_TAKEN if another account has verified the
 * address; ACCOUNTS_CONFLICT if others keep taking it before it can be given back
 */
export async function undoEmailChange(
  deps: Pick<Deps, 'users' | 'links' | 'options' | 'postOffice' | 'events' | 'invitations'>,
  devices: RememberedDevices,
  parts: LinkParts,
  address: EmailAddress,
): Promise<StoredUser> {
  const link = await deps.links.open('undo-email', parts, address.email)
  const { locked } = await withdrawingSince(deps, link.user.id, earliestReported(deps.options), () =>
    giveBack(deps, devices, link, address),
  )
  return locked
}

async function giveBack(
  deps: Pick<Deps, 'users' | 'options' | 'postOffice' | 'events'>,
  devices: RememberedDevices,
  link: OpenedLink,
  address: EmailAddress,
): Promise<StoredUser> {
  const { options, postOffice, events } = deps
  let nameIsFree = true
  const changesFor = (current: StoredUser): UserChanges => {
    const changes = {
      ...ownershipChanges('address-undone', current, options),
      ...followingName(current, address, nameIsFree),
      ...address,
      isVerified: true,
      emailChangedAt: null,
    }
    return withNote(current, changes, devices)
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await changeByLink(deps, link, changesFor, (changed, before) => [
        ...postOffice.about('choose-password', changed),
        ...recoveryMails(postOffice, changed, before),
        ...events.about('user.secured', changed, {}),
      ])
    } catch (error) {
      if (!(error instanceof DuplicateError)) throw error
      if (attempt === maxAttempts) throw changedMeanwhile()
      // The link proves the mailbox, so an account that never verified it must not keep it from its owner. An
      // imported user may have the address only as a username.
      const isHeld = await takeFromUnverified(deps, address.emailKey)
      if (!isHeld && error.field === 'username') nameIsFree = false
    }
  }
}

/** Whether somebody had to give it up. If their username is the address, they get another one. */
async function takeFromUnverified(
  { users, options }: Pick<Deps, 'users' | 'options'>,
  emailKey: string,
): Promise<boolean> {
  const holder = await users.findByEmail(emailKey)
  const isFree =
    holder === null ||
    (await users.change(holder, (current) => {
      if (current.emailKey !== emailKey) return {}
      return current.isVerified ? null : withoutAddress(options, current)
    }))
  if (!isFree) throw new AccountsError('ACCOUNTS_EMAIL_TAKEN')
  return holder !== null
}
