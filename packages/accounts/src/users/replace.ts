import { isDeepStrictEqual } from 'node:util'
import type { DeletionDeps, Deps } from '../deps.js'
import { AccountsError } from '../errors.js'
import { replacementName } from '../identifiers/address-name.js'
import type { PendingMessage } from '../seams/outbox.js'
import { isDuplicate } from '../seams/store-errors.js'
import { type StoredUser, type UserChanges, undoableUntil } from '../user.js'
import { clearedAddress } from './address.js'
import { deleteAccount } from './delete-account.js'

/**
 * Replaces an account whose maker hadn't proven its address with a new one, for the person who proved it: under another id, so
 * what the old one's maker left in the app's own tables doesn't come along. No store changes two users at once, hence
 * the order: the address is freed, then the new account created, then the old one deleted. If the new one can't be
 * created, the old one is as it was. If the process dies in between, the next login finds the address free, or the new
 * account, and the rest is `isRemainder`.
 *
 * If the old account can still get an earlier, proven address back, or a feature doesn't let it go, it only loses this one: it is
 * somebody else's, and its owner must not be kept from it.
 * @param mayTake whether the account is still nobody's
 * @param create stores the messages with the new account
 * @param onReplaced called once the new account exists, with the id of the one that goes
 * @returns the new account; `null` if the old one may no longer be taken
 */
export async function replaceUser(
  deps: Pick<Deps, 'users' | 'invitations' | 'events' | 'options' | 'planDeletion' | 'removeSessions'>,
  old: StoredUser,
  mayTake: (current: StoredUser) => boolean,
  create: (messages: readonly PendingMessage[]) => Promise<StoredUser>,
  onReplaced: (created: StoredUser, formerId: string) => void,
): Promise<StoredUser | null> {
  const { users, events, options, removeSessions } = deps
  const isKept = await mustStay(deps, old)
  let taken: Taken | undefined
  let stays = false
  let created: StoredUser
  try {
    const freed = await users.change(old, (current) => {
      if (!mayTake(current)) return null
      stays = isKept || Date.now() < undoableUntil(current, options.links.undoLifetime)
      taken = { before: current, changes: stays ? clearedAddress(current) : remainderOf(current) }
      return taken.changes
    })
    if (freed === null) return null
    created = await create(stays ? [] : events.about('user.handed_over', newUser, { former_id: old.id }))
  } catch (error) {
    // Also if the first change failed: its result may only be lost.
    if (taken !== undefined) await giveBack({ users }, taken)
    throw error
  }
  if (stays) return created
  onReplaced(created, old.id)
  // It has lost everything that lets somebody in, so what refuses to let it go only keeps the rest.
  await deleteAccount(deps, old, { successor: created }).catch(onlyIfRefused)
  await removeSessions(old.id)
  return created
}

/** Whether a feature refuses to let an account go. */
async function mustStay(deps: DeletionDeps & Pick<Deps, 'planDeletion'>, old: StoredUser): Promise<boolean> {
  return (await deps.planDeletion(old, deps).catch(onlyIfRefused)) === false
}

function onlyIfRefused(error: unknown): false {
  if (error instanceof AccountsError && error.code === 'ACCOUNTS_CONFLICT') return false
  throw error
}

/** Whose id the store makes. */
const newUser = { id: '' }

/** What has been taken from an account. */
interface Taken {
  before: StoredUser
  changes: UserChanges
}

/**
 * Puts back exactly what was taken from an account, unless somebody else has changed that since, or has its address by
 * now. Never throws: the error that led here says more, an outage is logged, and what is left is a remainder.
 */
async function giveBack({ users }: Pick<Deps, 'users'>, { before, changes }: Taken): Promise<void> {
  const fields = Object.keys(changes) as (keyof UserChanges)[]
  const isAsTaken = (current: StoredUser): boolean =>
    fields.every((field) => isDeepStrictEqual(current[field], changes[field]))
  const earlier: UserChanges = Object.fromEntries(fields.map((field) => [field, before[field]]))
  const put = async (also: UserChanges): Promise<void> => {
    const found = await users.findById(before.id)
    if (found === null) return
    await users.change(found, (current) => {
      if (!isAsTaken(current)) return null
      // Staff may have disabled it meanwhile.
      const isActive = before.isActive && current.sessionEpoch === before.sessionEpoch
      return { ...earlier, ...also, ...(changes.isActive !== undefined && { isActive }) }
    })
  }
  try {
    await put({}).catch((error: unknown) => {
      if (!isDuplicate(error, 'username')) throw error
      return put(replacementName())
    })
  } catch {
    // See above.
  }
}

/**
 * What is left of an account until it is deleted: nobody can log in to it, and its address and name are free again. All
 * else stays, in case that it is given back.
 */
function remainderOf({ notes }: StoredUser): UserChanges {
  return {
    ...replacementName(),
    email: null,
    emailKey: null,
    isVerified: false,
    isActive: false,
    notes: { ...notes, replaced: true },
  }
}
