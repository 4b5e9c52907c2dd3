import type { Deps } from '../deps.js'
import { looksLikeAddress, replacementName } from '../identifiers/address-name.js'
import type { NewUser, StoredUser } from '../user.js'
import { storeUser } from './create.js'

/**
 * Keeps what somebody entered at a sign-up with an address that another account has, without the address: its name is
 * taken from then on, its password and its passkey are known. Otherwise their next request would tell whether the address
 * was free. Nobody can log in to it, and the command `delete-unverified` deletes it.
 *
 * It costs as much as a user with a free address (see `spendAsIfTaken`). The email to the owner is stored with it; its
 * recipient is looked up after the response.
 * @param wanted what couldn't be stored because the address is taken
 * @returns `null` if no later request can meet it: it has neither a name that only it may have nor a passkey
 * @throws AccountsError ACCOUNTS_USERNAME_TAKEN; DuplicateError of an identity
 */
export async function storeUnclaimed(
  { users, postOffice }: Pick<Deps, 'users' | 'postOffice'>,
  wanted: NewUser,
): Promise<StoredUser | null> {
  const { username, emailKey } = wanted
  const mails = postOffice.toOwner('account-exists', emailKey ?? '')
  // As a name, the address would be its owner's.
  const isNamed = username !== null && !looksLikeAddress(username)
  if (!isNamed && wanted.identityKeys.length === 0) {
    await postOffice.post(mails)
    // The round trip that storing a user with an email takes in addition.
    await users.findByEmail(emailKey ?? '')
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
  }
  return storeUser({ users }, unclaimed, mails)
}

/**
 * After a sign-up with a free address, spends what one with a taken address costs in addition: the attempt that the
 * database refuses, and looking up why. Otherwise the time would tell. Never throws, because the account exists.
 */
export async function spendAsIfTaken({ users }: Pick<Deps, 'users'>, user: StoredUser): Promise<void> {
  const { verifyEpoch, emailKey } = user
  try {
    // Changes nothing, because no record has the version 0.
    await users.update({ ...user, version: 0 }, { verifyEpoch })
    await users.findByEmail(emailKey ?? '')
  } catch {
    // The outage is logged.
  }
}
