import type { Site } from '../site.js'
import { factsOf, type Organization } from './facts.js'

const everything = 'org:*'

/** Whether somebody may do one of these in an organization. */
export const may = (
  { permissions }: Pick<Organization, 'permissions'>,
  ...wanted: readonly string[]
): boolean => permissions.includes(everything) || wanted.some((each) => permissions.includes(each))

/** Whether nobody else is in it, so it can only be deleted, not left. */
export const isAlone = (organization: Organization): boolean =>
  organization.members === 1 && may(organization, 'org:delete')

/** What a role permits: nothing if the app doesn't name it anymore. */
export const permissionsOf = (site: Site, role: string): readonly string[] =>
  new Map(Object.entries(factsOf(site).roles)).get(role) ?? []

/** The roles that permit one of these. */
export const rolesWith = (site: Site, wanted: readonly string[]): string[] =>
  Object.keys(factsOf(site).roles).filter((role) =>
    may({ permissions: permissionsOf(site, role) }, ...wanted),
  )

/** Whether somebody may give and take these roles: those that permit no more than they may. */
export const mayGive = (site: Site, organization: Organization, roles: readonly string[]): boolean =>
  roles.flatMap((role) => permissionsOf(site, role)).every((permission) => may(organization, permission))

/** The roles that somebody may give. */
export const givenRoles = (site: Site, organization: Organization): string[] =>
  Object.keys(factsOf(site).roles).filter((role) => mayGive(site, organization, [role]))
