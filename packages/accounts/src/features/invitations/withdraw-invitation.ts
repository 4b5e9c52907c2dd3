import { isDeepStrictEqual } from 'node:util'
import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import { isCodeKind } from '../../logins/awaiting-factor.js'
import { type AccountUser, holdsPassword, type StoredUser, type UserChanges } from '../../user.js'
import type { Actor } from '../../users/change.js'
import { endInvitation } from '../../users/ownership/verbs.js'
import { remainderOf } from '../../users/replace.js'
import { openInvitation, withInvitation } from './invited/with-invitation.js'

/**
 * Withdraws an invitation. Its link ends first, by compare-and-swap, so an account that was accepted meanwhile stays. One
 * that was made for the invitation, and that nobody can log in to, goes; if its deletion fails, nothing of it is left that
 * anybody could use, and the command `delete-unverified` deletes it.
 * @throws AccountsError ACCOUNTS_FORBIDDEN, ACCOUNTS_NOT_FOUND, ACCOUNTS_CONFLICT
 */
export async function withdrawInvitation(
  deps: Pick<Deps, 'users' | 'options' | 'removeSessions'>,
  actor: Actor<AccountUser>,
  id: string,
): Promise<void> {
  await withInvitation(deps, actor, id, async (user, { roles }) => {
    let goes = false
    const changed = await deps.users.change(user, (current) => {
      const now = openInvitation(current)
      if (now === null || !isDeepStrictEqual(now.roles, roles)) return null
      goes = now.made && isBare(current)
      return goes ? remainderOf(current) : ended(current)
    })
    if (changed === null) throw new AccountsError('ACCOUNTS_NOT_FOUND')
    if (!goes) return
    await deps.users.delete(id)
    await deps.removeSessions(id)
  })
}

/** Whether the account has nothing but its invitation, and codes that anybody may have requested. */
function isBare(user: StoredUser): boolean {
  const { credentials, identityKeys, lastLoginAt, roles, isStaff } = user
  const own = credentials.filter(({ kind }) => !isCodeKind(kind))
  const hasMore = own.length + identityKeys.length + roles.length > 0
  return !holdsPassword(user) && !hasMore && !isStaff && lastLoginAt === null
}

/** The link is bound to the invitation. What somebody else's sign-up has stays as it was, or would tell them of it. */
function ended(current: StoredUser): UserChanges {
  return { ...endInvitation(current), invitedAt: null }
}
