import { randomUUID } from 'node:crypto'
import type { Deps } from '../deps.js'
import { AccountsError } from '../errors.js'
import { looksLikeAddress, replacementName } from '../identifiers/address-name.js'
import type { Decoy } from '../notes.js'
import type { PendingMail } from '../seams/outbox.js'
import type { NewUser, StoredUser } from '../user.js'
import { type Beginning, newUser, storeUser } from './create.js'

/** The emails of a sign-up whose response doesn't say whether its address was free. */
export interface SignUpMails {
  /** Stored with the new account. */
  free(user: NewUser): readonly PendingMail[]
  /** @param owner who has the address; `null` if they can't be looked up */
  taken(emailKey: string, owner: StoredUser | null): readonly PendingMail[]
}

type CreateDeps = Pick<Deps, 'users' | 'passwords' | 'options' | 'postOffice' | 'events'>

/**
 * Creates a user; or, if another account has the address, does the same work and tells only its owner. Every sign-up ends
 * here whose response must not reveal which of the two it was, and what the app has `alongside` runs and fails alike.
 *
 * What somebody entered at a sign-up with a taken address is kept as a decoy: its name is taken for a while, its password and
 * its passkey are known. Otherwise their next request would tell whether the address was free. Nobody can log in to it. It
 * gives way as an account that nobody confirms does (see lapsed-sign-up.ts), and the command `delete-unverified` deletes it.
 * @param beginning a name that nobody chose is `isGenerated`: no later request can meet it
 * @returns what was stored, which may be `unclaimed`; `null` if the address is taken and nothing had to be kept
 * @throws AccountsError ACCOUNTS_INVALID_INPUT, ACCOUNTS_USERNAME_TAKEN; DuplicateError of an identity; an error of the
 * app's `alongside`
 */
export async function createOrPretend(
  deps: CreateDeps,
  beginning: Beginning & { isGenerated?: boolean },
  mails: SignUpMails,
): Promise<{ user: StoredUser | null; emailKey: string | null }> {
  const wanted = await newUser(deps, beginning)
  const { emailKey } = wanted
  try {
    const user = await storeUser(deps, wanted, mails.free(wanted))
    await spendAsIfTaken(deps, user)
    return { user, emailKey }
  } catch (error) {
    if (error instanceof AccountsError && error.code === 'ACCOUNTS_EMAIL_TAKEN')
      return { user: await pretend(deps, wanted, mails, beginning.isGenerated === true), emailKey }
    if (isOfApp(deps, error)) await spendAsIfTaken(deps, wanted)
    throw error
  }
}

/**
 * Costs as much as a user with a free address: see `spendAsIfTaken`. The emails are stored with what is kept; their
 * recipient is looked up after the response.
 */
async function pretend(
  { users, postOffice, events }: Pick<Deps, 'users' | 'postOffice' | 'events'>,
  wanted: NewUser,
  mails: SignUpMails,
  isGenerated: boolean,
): Promise<StoredUser | null> {
  const { username } = wanted
  const emailKey = wanted.emailKey ?? ''
  // A lookup that fails must not tell either: for a free address, the response is 202 by then. The outage is logged.
  const lookUp = () => users.findByEmail(emailKey).catch(() => null)
  const owner = await lookUp()
  const toOwner = mails.taken(emailKey, owner)
  // As a name, the address would be its owner's.
  const isChosen = username !== null && !isGenerated && !looksLikeAddress(username)
  // What the app adds to a new user is run and undone with an unclaimed one, and its event is stored for nobody.
  const costsMore = users.runsCreated || events.wants('user.created')
  if (!isChosen && wanted.identityKeys.length === 0 && !costsMore) {
    await postOffice.post(toOwner)
    // The round trip that storing a user with an email takes in addition.
    await lookUp()
    return null
  }
  const decoy: Decoy = { emailKey, ownerId: owner?.isVerified === false ? owner.id : null }
  const unclaimed: NewUser = {
    ...wanted,
    ...(!isChosen && replacementName()),
    kind: 'unclaimed',
    email: null,
    emailKey: null,
    isVerified: false,
    isStaff: false,
    notes: { decoy },
    roles: [],
  }
  return storeUser({ users }, unclaimed, toOwner, wanted)
}

/**
 * After a sign-up with a free address, spends what one with a taken address costs in addition: the attempt that the
 * database refuses, looking up why, and looking up the owner. Otherwise the time would tell. Never throws, because the
 * account exists, or the app's own error says why it doesn't.
 */
async function spendAsIfTaken({ users }: Pick<Deps, 'users'>, user: StoredUser | NewUser): Promise<void> {
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

/** Whether it may be an error of the app's `alongside.created`, which a taken address only meets after a refused attempt. */
function isOfApp({ users }: Pick<Deps, 'users'>, error: unknown): boolean {
  const isOurs =
    error instanceof AccountsError && ['ACCOUNTS_USERNAME_TAKEN', 'ACCOUNTS_UNAVAILABLE'].includes(error.code)
  return users.runsCreated === true && !isOurs
}
