import type { Deps } from '../../deps.js'
import type { RememberedDevices } from '../../logins/remembered-devices.js'
import type { LinkParts } from '../../tokens/email-link.js'
import type { StoredUser } from '../../user.js'
import { changeByLink } from '../../users/change-by-link.js'
import { withdrawingSince } from '../../users/invitations/withdraw-since.js'
import { ownershipChanges } from '../../users/ownership/table.js'
import { earliestReported } from '../../users/ownership/verbs.js'
import { recoveryMails, withNote } from '../../users/removed.js'

/**
 * Reports a login that wasn't the owner's, so somebody else knows the password. Everybody is logged out, the
 * password is disabled, and a reset link is emailed. What the account has invited lately is withdrawn.
 * @throws AccountsError ACCOUNTS_INVALID_LINK
 */
export async function reportLogin(
  deps: Pick<Deps, 'users' | 'links' | 'options' | 'postOffice' | 'events' | 'invitations'>,
  devices: RememberedDevices,
  parts: LinkParts,
): Promise<StoredUser> {
  const { links, options, postOffice, events } = deps
  const link = await links.open('not-me', parts)
  const { locked } = await withdrawingSince(deps, link.user.id, earliestReported(options), () =>
    changeByLink(
      deps,
      link,
      (current) => withNote(current, ownershipChanges('locked', current, options) ?? {}, devices),
      (changed, before) => [
        ...postOffice.about('choose-password', changed),
        ...recoveryMails(postOffice, changed, before),
        ...events.about('user.secured', changed, {}),
      ],
    ),
  )
  return locked
}
