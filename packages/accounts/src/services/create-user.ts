import type { Deps } from '../deps.js'
import { AccountsError } from '../errors.js'
import { parseEmail } from '../identifiers/email.js'
import type { AccountUser, User } from '../user.js'
import { type CreateUserInput, insertUser } from '../users/create.js'

/**
 * Creates a user for somebody who asks for an account.
 * @param variant which route's verification link is mailed
 * @returns `mustConfirm`: a mail has to be read first, and the answer must be the same whether there is a `user` or the
 * address had an account already
 * @throws AccountsError ACCOUNTS_FORBIDDEN, ACCOUNTS_INVALID_INPUT, ACCOUNTS_USERNAME_TAKEN, ACCOUNTS_EMAIL_TAKEN
 */
export async function createUser(
  deps: Pick<Deps, 'users' | 'passwords' | 'options' | 'postOffice'>,
  actor: AccountUser | null,
  input: CreateUserInput,
  variant: 'user' | 'signup',
): Promise<{ user: User | null; mustConfirm: boolean }> {
  const { options, postOffice } = deps
  if (!(await options.authorize.createUser(actor))) throw new AccountsError('ACCOUNTS_FORBIDDEN')
  const caller = actor === null ? 'stranger' : 'known'
  if (!options.requireEmailConfirmation) {
    return { user: await insertUser(deps, input, caller), mustConfirm: false }
  }

  // Both outcomes cost one hash, and one mail that is kept; whose mail it is, is looked up after the answer.
  try {
    const created = await insertUser(deps, input, caller, (user) =>
      postOffice.about('verify-email', user, { variant }),
    )
    return { user: created, mustConfirm: true }
  } catch (error) {
    if (!(error instanceof AccountsError && error.code === 'ACCOUNTS_EMAIL_TAKEN')) throw error
    const emailKey = parseEmail(input.email ?? '')?.emailKey ?? ''
    await postOffice.post(postOffice.toOwner('account-exists', emailKey))
    return { user: null, mustConfirm: true }
  }
}
