import type { FieldError } from 'fastify-accounts'
import { fieldError, invalidInput, noSuchValue } from 'fastify-accounts/features'
import type { OrganizationDeps } from '../parts.js'

/**
 * Checks the roles that somebody is to have: they exist, none is there twice, and there is at least one.
 * @throws AccountsError ACCOUNTS_INVALID_INPUT
 */
export function checkMemberRoles({ settings }: Pick<OrganizationDeps, 'settings'>, roles: unknown): void {
  const fault = roleFault(roles, settings.roles)
  if (fault !== null) throw invalidInput(fault)
}

function roleFault(roles: unknown, definitions: object): FieldError | null {
  if (!Array.isArray(roles) || roles.some((role, at) => roles.indexOf(role) !== at))
    return fieldError('roles', 'invalid')
  if (roles.length === 0) return fieldError('roles', 'required')
  const unknown = roles.findIndex((role) => typeof role !== 'string' || !Object.hasOwn(definitions, role))
  return unknown < 0 ? null : noSuchValue('roles', roles[unknown])
}
