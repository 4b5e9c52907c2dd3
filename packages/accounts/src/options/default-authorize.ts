import type { AccountUser } from '../user.js'
import type { Authorize } from './options.js'
import { can, exceeds, isBelow } from './privileges.js'
import type { Roles, UserPermission } from './roles.js'

/**
 * The rules of `authorize` that apply unless the app sets its own, to build on them.
 * @param roles the option `roles`
 */
export function defaultAuthorize(roles?: Roles | undefined): Authorize {
  const may = (actor: AccountUser, permission: UserPermission) => can(actor, permission, { roles })
  return {
    createUser: () => true,
    listUsers: () => true,
    showUser: () => true,
    searchEmails: (actor) => may(actor, 'users:read'),
    searchFields: (actor) => may(actor, 'users:read'),
    listDetails: (actor) => may(actor, 'users:read'),
    showDetails: (actor, target) => actor.id === target.id || may(actor, 'users:read'),
    manageUser: (actor, target) => may(actor, 'users:disable') && !exceeds(target, actor, { roles }),
    editUser: (actor, target) => may(actor, 'users:edit') && isBelow(target, actor, { roles }),
    // Staff help each other, since nobody can reset their own.
    resetFactors: (actor, target) =>
      may(actor, 'users:edit') && (actor.isStaff || isBelow(target, actor, { roles })),
    grantRights(actor, target, { isStaff, roles: newRoles = [] }) {
      const isBeyond = exceeds({ isStaff: isStaff !== undefined, roles: newRoles }, actor, { roles })
      return may(actor, 'users:grant') && !isBeyond && (target === null || !exceeds(target, actor, { roles }))
    },
    deleteUser: (actor, target) =>
      actor.id === target.id || (may(actor, 'users:delete') && !exceeds(target, actor, { roles })),
    invite: (actor) => may(actor, 'users:invite'),
    manageServices: (actor) => may(actor, 'users:services'),
  }
}
