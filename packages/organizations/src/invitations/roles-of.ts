import type { Invitation } from 'fastify-accounts'
import type { OrganizationDeps } from '../parts.js'

/** What an invitation to an organization gives there. */
export type Gives = { roles: string[] }

/** The roles that an invitation gives, of those that the app still has. */
export function rolesOf(
  { gives }: Pick<Invitation, 'gives'>,
  { roles: definitions }: OrganizationDeps['settings'],
): string[] {
  return (gives as Gives).roles.filter((role) => Object.hasOwn(definitions, role))
}
