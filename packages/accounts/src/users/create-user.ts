import type { Deps } from '../deps.js'
import { AccountsError } from '../errors.js'
import { parseEmail } from '../identifiers/email.js'
import type { AccountUser, StoredUser } from '../user.js'
import { type Beginning, insertUser } from './create.js'

/** The input of a sign-up. */
type NewAccount = Beginning extends infer Each ? (Each extends unknown ? Omit<Each, 'caller'> : never) : never

/**
 * Creates a user at sign-up.
 * @param variant the route whose verification link is emailed
 * @returns `mustConfirm`: an email has to be read first, and the response must be the same whether there is a
 * `user` or the address already had an account
 * @throws AccountsError ACCOUNTS_FORBIDDEN, ACCOUNTS_INVALID_INPUT, ACCOUNTS_USERNAME_TAKEN,
 * ACCOUNTS_EMAIL_TAKEN
 */
export async function createUser(
  deps: Pick<Deps, 'users' | 'passwords' | 'options' | 'postOffice'>,
  actor: AccountUser | null,
  beginning: NewAccount,
  variant: 'user' | 'signup',
): Promise<{ user: StoredUser | null; mustConfirm: boolean }> {
  const { options, postOffice } = deps
  if (!(await options.authorize.createUser(actor))) throw new AccountsError('ACCOUNTS_FORBIDDEN')
  // Signing up has no budget by user, so only staff go ahead of strangers.
  const known = { ...beginning, caller: actor?.isStaff ? 'known' : 'stranger' } as Beginning
  if (!options.requireEmailConfirmation) {
    return { user: await insertUser(deps, known), mustConfirm: false }
  }

  // Both outcomes cost one hash and one stored email; its recipient is looked up after the response.
  try {
    const created = await insertUser(deps, known, (user) =>
      postOffice.about('verify-email', user, { variant }),
    )
    return { user: created, mustConfirm: true }
  } catch (error) {
    if (!(error instanceof AccountsError && error.code === 'ACCOUNTS_EMAIL_TAKEN')) throw error
    const emailKey = parseEmail(beginning.input.email ?? '')?.emailKey ?? ''
    await postOffice.post(postOffice.toOwner('account-exists', emailKey))
    return { user: null, mustConfirm: true }
  }
}
