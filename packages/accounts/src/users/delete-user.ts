import type { Deps } from '../deps.js'
import { AccountsError } from '../errors.js'
import { can, isPrivileged } from '../options/privileges.js'
import { accountUser } from '../user.js'
import { type Actor, flagChanges, withPermission } from './change.js'
import { deletionMails } from './deletion-mails.js'
import { demoteUser } from './demote.js'

/**
 * Deletes a user, ends their sessions at once and emails them. Whoever may grant rights can't delete their own account,
 * and privileged users lose their rights before somebody else deletes them, so one who may grant always remains, even if
 * two delete each other at the same moment.
 * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_FORBIDDEN, ACCOUNTS_CONFLICT
 */
export async function deleteUser(
  deps: Pick<Deps, 'users' | 'options' | 'postOffice' | 'removeSessions'>,
  actor: Actor,
  id: string,
): Promise<void> {
  const { users, options, postOffice, removeSessions } = deps
  const asker = actor === 'host' ? actor : accountUser(actor)
  await withPermission(deps, asker, { id, actions: ['deleteUser'] }, async (target) => {
    const isOwn = actor !== 'host' && target.id === actor.id
    if (isOwn && can(target, 'users:grant', options))
      throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'still_staff' })
    if (actor !== 'host' && !isOwn && isPrivileged(target, options)) {
      const none = { isStaff: false, roles: [] }
      const demoted = await demoteUser(deps, actor, target, (current) => flagChanges(current, none, options))
      if (demoted === null) {
        const isThere = (await users.findById(id)) !== null
        throw isThere
          ? new AccountsError('ACCOUNTS_CONFLICT', { reason: 'changed_meanwhile' })
          : new AccountsError('ACCOUNTS_NOT_FOUND')
      }
    }
    const office = actor === 'host' || isOwn ? postOffice : postOffice.byStaff()
    if (!(await users.delete(id, deletionMails(office, target))))
      throw new AccountsError('ACCOUNTS_NOT_FOUND')
    await removeSessions(id)
  })
}
