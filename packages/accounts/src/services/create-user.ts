import type { Deps } from '../deps.js'
import { resetLinkFacts, verifyLinkFacts } from '../emails/link-facts.js'
import { AccountsError } from '../errors.js'
import { parseEmail } from '../identifiers/email.js'
import type { AccountUser, User } from '../user.js'
import { type CreateUserInput, insertUser } from '../user-creation.js'

/**
 * Creates a user for somebody who asks for an account.
 * @param variant which route's verification link is mailed
 * @returns `mustConfirm`: a mail has to be read first, and the answer must be the same whether there is a `user` or the
 * address had an account already
 * @throws AccountsError ACCOUNTS_FORBIDDEN, ACCOUNTS_INVALID_INPUT, ACCOUNTS_USERNAME_TAKEN, ACCOUNTS_EMAIL_TAKEN
 */
export async function createUser(
  deps: Pick<
    Deps,
    'users' | 'passwords' | 'links' | 'throttle' | 'options' | 'postOffice' | 'resetUrl' | 'verifyUrl'
  >,
  actor: AccountUser | null,
  input: CreateUserInput,
  variant: 'user' | 'signup',
): Promise<{ user: User | null; mustConfirm: boolean }> {
  const { users, throttle, options, postOffice } = deps
  if (!(await options.authorize.createUser(actor))) throw new AccountsError('ACCOUNTS_FORBIDDEN')
  if (!options.requireEmailConfirmation) return { user: await insertUser(deps, input), mustConfirm: false }

  // Both outcomes cost one hash and one insert; what differs is done after the answer.
  const emailKey = parseEmail(input.email ?? '')?.emailKey ?? ''
  const allowed = (): Promise<boolean> => throttle.allows('verifyMails', emailKey)
  try {
    const created = await insertUser(deps, input)
    postOffice.post('verify-email', created, {
      allowed,
      facts: (user) => verifyLinkFacts(deps, user, variant),
    })
    return { user: created, mustConfirm: true }
  } catch (error) {
    if (!(error instanceof AccountsError && error.code === 'ACCOUNTS_EMAIL_TAKEN')) throw error
    const owner = (): Promise<User | null> => users.findByEmail(emailKey)
    postOffice.post('account-exists', owner, { allowed, facts: (user) => resetLinkFacts(deps, user) })
    return { user: null, mustConfirm: true }
  }
}
