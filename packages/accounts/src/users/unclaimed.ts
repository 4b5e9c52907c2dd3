import { randomUUID } from 'node:crypto'
import type { Deps } from '../deps.js'
import { looksLikeAddress, replacementName } from '../identifiers/address-name.js'
import type { NewUser, StoredUser } from '../user.js'
import { storeUser } from './create.js'
import { withoutPromise } from './promised-roles.js'

/**
 * Keeps what somebody entered at a sign-up with an address that another account has, without the address: its name is
 * taken from then on, its password and its passkey are known. Otherwise their next request would tell whether the address
 * was free. Nobody can log in to it, and the command `delete-unverified` deletes it.
 *
 * The email to the owner is stored with it; its recipient is looked up after the response. If nobody has proven the
 * address, it is the verification link, as if it had been requested again: there is no account to log in to yet. All
 * of it costs as much as a user with a free address (see `spendAsIfTaken`).
 * @param wanted what couldn't be stored because the address is taken
 * @param variant the route whose verification link is emailed
 * @returns `null` if no later request can meet it: it has neither a name that only it may have nor a passkey, and creating
 * a user runs nothing of the app's
 * @throws AccountsError ACCOUNTS_USERNAME_TAKEN; DuplicateError of an identity
 */
export async function storeUnclaimed(
  { users, postOffice }: Pick<Deps, 'users' | 'postOffice'>,
  wanted: NewUser,
  variant: 'user' | 'signup',
): Promise<StoredUser | null> {
  const { username } = wanted
  const emailKey = wanted.emailKey ?? ''
  // A lookup that fails must not tell either: for a free address, the response is 202 by then. The outage is logged.
  const lookUp = () => users.findByEmail(emailKey).catch(() => null)
  const owner = await lookUp()
  const mails =
    owner?.isVerified === false
      ? postOffice.toOwner('verify-email', emailKey, { variant })
      : postOffice.toOwner('account-exists', emailKey)
  // As a name, the address would be its owner's.
  const isNamed = username !== null && !looksLikeAddress(username)
  // What the app adds to a new user is run and undone with an unclaimed one.
  if (!isNamed && wanted.identityKeys.length === 0 && !users.runsCreated) {
    await postOffice.post(mails)
    // The round trip that storing a user with an email takes in addition.
    await lookUp()
    return null
  }
  const unclaimed: NewUser = {
    ...wanted,
    ...(!isNamed && replacementName()),
    kind: 'unclaimed',
    email: null,
    emailKey: null,
    isVerified: false,
    isStaff: false,
    credentials: withoutPromise(wanted.credentials),
    roles: [],
  }
  return storeUser({ users }, unclaimed, mails, wanted)
}

/**
 * After a sign-up with a free address, spends what one with a taken address costs in addition: the attempt that the
 * database refuses, looking up why, and looking up the owner. Otherwise the time would tell. Never throws, because the
 * account exists, or the app's own error says why it doesn't.
 */
export async function spendAsIfTaken(
  { users }: Pick<Deps, 'users'>,
  user: StoredUser | NewUser,
): Promise<void> {
  const { verifyEpoch, emailKey } = user
  try {
    // Changes nothing, because no record has the version 0.
    await users.update({ id: randomUUID(), ...user, version: 0 }, { verifyEpoch })
    await users.findByEmail(emailKey ?? '')
    await users.findByEmail(emailKey ?? '')
  } catch {
    // The outage is logged.
  }
}
