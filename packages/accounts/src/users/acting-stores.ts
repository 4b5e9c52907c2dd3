import { isDeepStrictEqual } from 'node:util'
import type { Deps } from '../deps.js'
import { AccountsError, changedMeanwhile } from '../errors.js'
import { exceeds } from '../options/privileges.js'
import { changeBy } from '../sessions/user-updates.js'
import { accountUser, type User } from '../user.js'

/** Milliseconds for which a look holds: the writes of one operation follow each other. */
const holdsFor = 1000

/**
 * The stores as somebody writes to them. Right before a write to somebody else, their own rights are read again: since the
 * request began, a rule of the app, a slow body or a hash may have taken long enough for them to lose what it was
 * admitted with. These are the stores of an operation's deps, so one that writes with them can't forget it.
 * @param actor as the request was admitted
 * @param writes `create` if the request also serves those who aren't logged in: what it changes, a link decides
 */
export function actingStores(
  { users, invitations, events, options }: Pick<Deps, 'users' | 'invitations' | 'events' | 'options'>,
  actor: User,
  writes: 'all' | 'create',
): Pick<Deps, 'users' | 'invitations'> {
  let checkedAt = Number.NEGATIVE_INFINITY
  /** What is written then follows from the deletion, and nobody would be left to do it. */
  let hasDeletedOwn = false

  /** @throws AccountsError ACCOUNTS_FORBIDDEN, ACCOUNTS_CONFLICT */
  async function check(target?: string): Promise<void> {
    if (target === actor.id || hasDeletedOwn || performance.now() - checkedAt < holdsFor) return
    const current = await users.findById(actor.id)
    const isIn = current?.isActive && current.sessionEpoch === actor.sessionEpoch
    if (!isIn || exceeds(actor, current, options)) throw new AccountsError('ACCOUNTS_FORBIDDEN')
    // The app's own rules may depend on anything else.
    if (!isDeepStrictEqual(whatRulesSee(current), whatRulesSee(actor))) throw changedMeanwhile()
    checkedAt = performance.now()
  }

  const create: Deps['users']['create'] = async (...args) => {
    await check()
    return users.create(...args)
  }
  if (writes === 'create') return { users: { ...users, create }, invitations }
  const update: Deps['users']['update'] = async (user, ...args) => {
    await check(user.id)
    return users.update(user, ...args)
  }
  /**
   * An account that was secured meanwhile leaves no invitation: what withdraws them may have come too early. One that is older
   * than the write stays if the account can't be read.
   */
  async function recheck(id: string, isNew: boolean): Promise<void> {
    checkedAt = Number.NEGATIVE_INFINITY
    await check().catch(async (error: unknown) => {
      const isForbidden = error instanceof AccountsError && error.code === 'ACCOUNTS_FORBIDDEN'
      const told = events.about('invitation.withdrawn', actor, { invitation_id: id })
      if (isNew || isForbidden) await invitations.delete(id, undefined, told)
      throw error
    })
  }

  return {
    users: {
      ...users,
      create,
      update,
      change: changeBy({ findById: users.findById, update }),
      async delete(user, ...args) {
        await check(user.id)
        const isDeleted = await users.delete(user, ...args)
        hasDeletedOwn ||= isDeleted && user.id === actor.id
        return isDeleted
      },
    },
    invitations: {
      ...invitations,
      async create(invitation, ...messages) {
        await check()
        const isStored = await invitations.create(invitation, ...messages)
        if (isStored) await recheck(invitation.id, true)
        return isStored
      },
      async update(id, changes, ...rest) {
        // An acceptance is the invited person's own, and checked where it takes effect.
        const isAcceptance = Object.keys(changes).every((name) => name === 'acceptingUntil')
        if (isAcceptance) return invitations.update(id, changes, ...rest)
        await check()
        const changed = await invitations.update(id, changes, ...rest)
        if (changed !== null) await recheck(id, false)
        return changed
      },
      async delete(id, ...rest) {
        await check()
        return invitations.delete(id, ...rest)
      },
    },
  }
}

/** Without their rights, of which they may have gained some. */
function whatRulesSee(user: User): object {
  const { isStaff: _isStaff, roles: _roles, lastLoginAt: _at, ...seen } = accountUser(user)
  return seen
}
