import { isDeepStrictEqual } from 'node:util'
import { changeUser } from '../adapters/change-user.js'
import type { Deps } from '../deps.js'
import { AccountsError } from '../errors.js'
import { exceeds } from '../options/privileges.js'
import { accountUser, type User } from '../user.js'

/** Milliseconds for which a look holds: the writes of one operation follow each other. */
const holdsFor = 1000

/**
 * The users as somebody writes to them. Right before a write to somebody else, their own rights are read again: since the
 * request began, a rule of the app, a slow body or a hash may have taken long enough for them to lose what it was
 * admitted with. All writes of a request go through here, so no operation can forget it.
 * @param actor as the request was admitted
 * @param writes `create` if the request also serves those who aren't logged in: what it changes, a link decides
 */
export function actingUsers(
  { users, options }: Pick<Deps, 'users' | 'options'>,
  actor: User,
  writes: 'all' | 'create',
): Deps['users'] {
  let checkedAt = Number.NEGATIVE_INFINITY

  /** @throws AccountsError ACCOUNTS_FORBIDDEN, ACCOUNTS_CONFLICT */
  async function check(target?: string): Promise<void> {
    if (target === actor.id || Date.now() - checkedAt < holdsFor) return
    const current = await users.findById(actor.id)
    const isIn = current?.isActive && current.sessionEpoch === actor.sessionEpoch
    if (!isIn || exceeds(actor, current, options)) throw new AccountsError('ACCOUNTS_FORBIDDEN')
    // The app's own rules may depend on anything else.
    if (!isDeepStrictEqual(whatRulesSee(current), whatRulesSee(actor)))
      throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'changed_meanwhile' })
    checkedAt = Date.now()
  }

  const create: Deps['users']['create'] = async (...given) => {
    await check()
    return users.create(...given)
  }
  if (writes === 'create') return { ...users, create }
  const update: Deps['users']['update'] = async (known, ...given) => {
    await check(known.id)
    return users.update(known, ...given)
  }
  return {
    ...users,
    create,
    update,
    change: (known, changesFor, { messages, session } = {}) =>
      changeUser(
        {
          findById: users.findById,
          update: (record, changes, mails) => update(record, changes, { messages: mails, session }),
        },
        known,
        changesFor,
        messages,
      ),
    async delete(id, ...given) {
      await check(id)
      return users.delete(id, ...given)
    },
  }
}

/** Without their rights, of which they may have gained some. */
function whatRulesSee(user: User): object {
  const { isStaff: _isStaff, roles: _roles, lastLoginAt: _at, ...seen } = accountUser(user)
  return seen
}
