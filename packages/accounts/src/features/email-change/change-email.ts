import type { Deps } from '../../deps.js'
import { AccountsError, fieldError, invalidInput } from '../../errors.js'
import { newAddressFault, parseTypedEmail } from '../../identifiers/email.js'
import { type PendingAddress, withNoteOf } from '../../notes.js'
import type { StoredUser, User } from '../../user.js'
import { askChangeEmail } from '../../users/ask-change-email.js'
import { ownRecord } from '../../users/own-record.js'

/**
 * Emails a link to the requested address, and ends an earlier one; the address changes when the link is used. If the address
 * has an account, its owner is notified instead. Neither the response nor what is noted may depend on it, so it is decided
 * afterwards.
 * @throws AccountsError ACCOUNTS_INVALID_INPUT, ACCOUNTS_THROTTLED, ACCOUNTS_LOGIN_REQUIRED, ACCOUNTS_CONFLICT; RuleError
 */
export async function changeEmail(
  deps: Pick<Deps, 'users' | 'throttle' | 'postOffice' | 'options' | 'rules' | 'links'>,
  user: User,
  { email }: { email: string },
): Promise<void> {
  const { users, throttle, postOffice, options, links } = deps
  const address = parseTypedEmail(email)
  const fault = newAddressFault(address, options)
  if (address === null || fault !== null) throw invalidInput(fault ?? fieldError('email', 'invalid'))
  if (address.emailKey === user.emailKey) {
    throw invalidInput(fieldError('email', 'unchanged', { text: 'email_unchanged' }))
  }
  await throttle.spend(['changeEmail', 'changeEmailDay'], user.id)
  await askChangeEmail(deps, user, address)
  const begun = Date.now()
  const at = new Date(begun).toISOString()
  const until = new Date(begun + options.links.changeEmailLifetime).toISOString()
  const { email: to, emailKey } = address
  const pendingWith = (current: StoredUser, state: string) =>
    withNoteOf(current, 'pendingAddress', { email: to, at, until, state } satisfies PendingAddress)
  const changed = await users.change(
    await ownRecord(deps, user),
    (current) => {
      if (current.sessionEpoch !== user.sessionEpoch) return null
      const asking = { ...current, notes: pendingWith(current, '') }
      return { notes: pendingWith(current, links.stateOf('change-email', asking, to)) }
    },
    // Only one of the two is sent.
    {
      messages: (asking) => [
        ...postOffice.about('change-email', asking, { to }),
        ...postOffice.toOwner('email-taken', emailKey),
      ],
    },
  )
  if (changed === null) throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
}
