import type { Deps } from '../deps.js'
import type { PostOffice } from '../emails/post-office.js'
import { AccountsError, changedMeanwhile } from '../errors.js'
import { can, isPrivileged, sameRights } from '../options/privileges.js'
import type { PendingMail } from '../seams/outbox.js'
import { accountUser, type StoredUser, type User } from '../user.js'
import { type Actor, flagChanges, withPermission } from './change.js'
import { attemptDeletion, deleteAccount } from './delete-account.js'
import { demoteUser } from './demote.js'
import { finishAccepted } from './invitations/finish-accepted.js'

/** How often a deletion is attempted while others change the same user. */
const maxAttempts = 10

/** What deleting a user takes. */
export type DeleteDeps = Pick<
  Deps,
  'users' | 'options' | 'postOffice' | 'removeSessions' | 'invitations' | 'events' | 'planDeletion'
>

/**
 * Deletes a user, ends their sessions at once and emails them. Whoever may grant rights can't delete their own account,
 * and privileged users lose their rights before somebody else deletes them, so one who may grant always remains, even if
 * two delete each other at the same moment. Whom the decision was about is deleted: not somebody who has other rights by
 * then.
 * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_FORBIDDEN, ACCOUNTS_CONFLICT
 */
export async function deleteUser(deps: DeleteDeps, actor: Actor, id: string): Promise<void> {
  const { options, postOffice, removeSessions } = deps
  const asker = actor === 'host' ? actor : accountUser(actor)
  await withPermission(deps, asker, { id, actions: ['deleteUser'] }, async (target) => {
    const isOwn = actor !== 'host' && target.id === actor.id
    if (isOwn && can(target, 'users:grant', options))
      throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'still_staff' })
    await finishAccepted(deps, target)
    const office = actor === 'host' || isOwn ? postOffice : postOffice.byStaff()
    if (actor === 'host') {
      if (!(await deleteAccount(deps, target, { messages: deletionMails(office, target) })))
        throw new AccountsError('ACCOUNTS_NOT_FOUND')
    } else {
      const none = { isStaff: false, roles: [] }
      const isDemoted = !isOwn && isPrivileged(target, options)
      // What a feature refuses is refused before the rights go.
      if (isDemoted) await deps.planDeletion(target, deps)
      const decided = isDemoted
        ? await demoteUser(deps, actor, target, (current) => flagChanges(current, none, options))
        : target
      await deleteAsDecided(deps, decided, id, (current) =>
        deletionMails(office, isDemoted ? target : current),
      )
    }
    await removeSessions(id)
  })
}

/**
 * Deletes a user by compare-and-swap, as long as they have the rights that the decision was about.
 * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_CONFLICT
 */
async function deleteAsDecided(
  deps: DeleteDeps,
  decided: StoredUser | null,
  id: string,
  mailsFor: (current: StoredUser) => readonly PendingMail[],
): Promise<void> {
  let current = decided
  for (let attempt = 0; attempt < maxAttempts && current !== null; attempt += 1) {
    if (await attemptDeletion(deps, current, { messages: mailsFor(current), onlyAsRead: true })) return
    current = await deps.users.findById(id)
    if (current === null) throw new AccountsError('ACCOUNTS_NOT_FOUND')
    if (decided === null || !sameRights(current, decided)) break
  }
  const isThere = current !== null || (await deps.users.findById(id)) !== null
  throw isThere ? changedMeanwhile() : new AccountsError('ACCOUNTS_NOT_FOUND')
}

/** Tells the owner that the account is gone, at an address that they have proven: any other may be a stranger's. */
function deletionMails(postOffice: Pick<PostOffice, 'about'>, user: User): readonly PendingMail[] {
  const { username, createdAt, fields, isVerified } = user
  if (!isVerified) return []
  const locale = typeof fields.locale === 'string' ? fields.locale : null
  const former = { username, createdAt: createdAt.toISOString(), locale }
  return postOffice.about('account-deleted', user, { former })
}
