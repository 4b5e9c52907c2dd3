import type { Deps } from '../deps.js'
import { can } from '../options/privileges.js'
import { type AccountUser, nobody, type StoredUser, type User } from '../user.js'
import { type Beginning, type Entered, insertUser, isAddressAlone } from './create.js'
import { createOrPretend } from './create-or-pretend.js'

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
 * @param isOwn whether an account was made in the browser that signs up
 * @throws AccountsError ACCOUNTS_INVALID_INPUT, ACCOUNTS_USERNAME_TAKEN, ACCOUNTS_EMAIL_TAKEN
 */
export async function createUser(
  deps: Pick<Deps, 'users' | 'passwords' | 'options' | 'postOffice' | 'events'>,
  actor: AccountUser | null,
  beginning: Entered & Pick<Beginning, 'granted'>,
  variant: 'user' | 'signup',
  isOwn: (user: User) => boolean,
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

  const signedUp = await createOrPretend(deps, newcomer, {
    free: (user) => {
      // Reading the cookie takes time.
      isOwn(nobody)
      return postOffice.about('verify-email', user, { variant })
    },
    // If nobody has proven the address, there is no account to log in to yet: the link again, as if it had been requested.
    taken(emailKey, owner) {
      const { username } = beginning.input
      const isNewest = isOwn(owner ?? nobody) && owner?.lastLoginAt === null
      const newest = isNewest && username ? { newestName: username } : {}
      return owner?.isVerified === false
        ? postOffice.toOwner('verify-email', emailKey, { variant, ...newest })
        : postOffice.toOwner('account-exists', emailKey)
    },
  })
  return { ...signedUp, mustConfirm: true }
}
