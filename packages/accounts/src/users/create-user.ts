import type { Deps } from '../deps.js'
import { AccountsError } from '../errors.js'
import { can } from '../options/privileges.js'
import type { AccountUser, StoredUser } from '../user.js'
import { type Beginning, insertUser, isAddressAlone, newUser, storeUser } from './create.js'
import { spendAsIfTaken, storeUnclaimed } from './unclaimed.js'

/** The input of a sign-up. */
type NewAccount = Beginning extends infer Each
  ? Each extends unknown
    ? Omit<Each, 'caller' | 'origin'>
    : never
  : never

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
 * Creates a user at sign-up, once `admitSignUp` has admitted it.
 * @param variant the route whose verification link is emailed
 * @throws AccountsError ACCOUNTS_INVALID_INPUT, ACCOUNTS_USERNAME_TAKEN, ACCOUNTS_EMAIL_TAKEN
 */
export async function createUser(
  deps: Pick<Deps, 'users' | 'passwords' | 'options' | 'postOffice'>,
  actor: AccountUser | null,
  beginning: NewAccount,
  variant: 'user' | 'signup',
): Promise<SignedUp> {
  const { options, postOffice } = deps
  // Signing up has no budget by user, so only who creates accounts for others goes ahead of strangers.
  const isForOthers = actor !== null && can(actor, 'users:create', options)
  const by = isForOthers
    ? ({ caller: 'known', origin: 'staff' } as const)
    : ({ caller: 'stranger', origin: 'self' } as const)
  const newcomer: Beginning = { ...beginning, ...by }
  // Somebody with nothing to log in with has to read an email first in any case.
  const mustConfirm = options.requireEmailConfirmation || isAddressAlone(beginning)
  if (!mustConfirm) {
    const user = await insertUser(deps, newcomer)
    return { user, emailKey: user.emailKey, mustConfirm: false }
  }

  const wanted = await newUser(deps, newcomer)
  const { emailKey } = wanted
  const mails = postOffice.about('verify-email', wanted, { variant })
  try {
    const user = await storeUser(deps, wanted, mails)
    await spendAsIfTaken(deps, user)
    return { user, emailKey, mustConfirm: true }
  } catch (error) {
    if (error instanceof AccountsError && error.code === 'ACCOUNTS_EMAIL_TAKEN')
      return { user: await storeUnclaimed(deps, wanted, variant), emailKey, mustConfirm: true }
    if (isOfApp(deps, error)) await spendAsIfTaken(deps, wanted)
    throw error
  }
}

/** Whether it may be an error of the app's `alongside.created`, which a taken address only meets after a refused attempt. */
function isOfApp({ users }: Pick<Deps, 'users'>, error: unknown): boolean {
  const isOurs =
    error instanceof AccountsError && ['ACCOUNTS_USERNAME_TAKEN', 'ACCOUNTS_UNAVAILABLE'].includes(error.code)
  return users.runsCreated === true && !isOurs
}
