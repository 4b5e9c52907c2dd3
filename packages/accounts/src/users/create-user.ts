import type { Deps } from '../deps.js'
import { AccountsError } from '../errors.js'
import type { AccountUser, StoredUser } from '../user.js'
import { type Beginning, insertUser, newUser, storeUser } from './create.js'
import { spendAsIfTaken, storeUnclaimed } from './unclaimed.js'

/** The input of a sign-up. */
type NewAccount = Beginning extends infer Each ? (Each extends unknown ? Omit<Each, 'caller'> : never) : never

/** The outcome of a sign-up. */
export interface SignedUp {
  /** What was stored, which may be `unclaimed`; `null` if nothing was. */
  user: StoredUser | null
  /** The address that was given. */
  emailKey: string | null
  /** An email has to be read first: whatever `user` is, the response must be the same. */
  mustConfirm: boolean
}

/**
 * Creates a user at sign-up.
 * @param variant the route whose verification link is emailed
 * @throws AccountsError ACCOUNTS_FORBIDDEN, ACCOUNTS_INVALID_INPUT, ACCOUNTS_USERNAME_TAKEN,
 * ACCOUNTS_EMAIL_TAKEN
 */
export async function createUser(
  deps: Pick<Deps, 'users' | 'passwords' | 'options' | 'postOffice'>,
  actor: AccountUser | null,
  beginning: NewAccount,
  variant: 'user' | 'signup',
): Promise<SignedUp> {
  const { options, postOffice } = deps
  if (!(await options.authorize.createUser(actor))) throw new AccountsError('ACCOUNTS_FORBIDDEN')
  // Signing up has no budget by user, so only staff go ahead of strangers.
  const known = { ...beginning, caller: actor?.isStaff ? 'known' : 'stranger' } as Beginning
  if (!options.requireEmailConfirmation) {
    const user = await insertUser(deps, known)
    return { user, emailKey: user.emailKey, mustConfirm: false }
  }

  const wanted = await newUser(deps, known)
  const { emailKey } = wanted
  const mails = postOffice.about('verify-email', wanted, { variant })
  try {
    const user = await storeUser(deps, wanted, mails)
    await spendAsIfTaken(deps, user)
    return { user, emailKey, mustConfirm: true }
  } catch (error) {
    if (!(error instanceof AccountsError && error.code === 'ACCOUNTS_EMAIL_TAKEN')) throw error
    return { user: await storeUnclaimed(deps, wanted), emailKey, mustConfirm: true }
  }
}
