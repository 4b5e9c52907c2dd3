import { isDeepStrictEqual } from 'node:util'
import { fieldChanges } from 'fastify-accounts/features'
import { changeInside } from '../membership/change-inside.js'
import { type Actor, demand, type Inside } from '../membership/inside.js'
import { spendOnce } from '../membership/spend-once.js'
import type { OrganizationDeps } from '../parts.js'
import type { Organization } from '../store/organization-store.js'
import { checkOrganization } from './check-organization.js'

/** What changes of an organization; a missing value stays unchanged. */
export interface OrganizationChanges {
  name?: string | undefined
  slug?: string | undefined
  /** Own fields: `null` removes one, unless its schema gives it a meaning or requires the field. */
  fields?: Organization['fields'] | undefined
}

/**
 * Changes name, slug and own fields of an organization.
 * @param organizationName an id or a slug
 * @returns the organization as it is then
 * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_FORBIDDEN, ACCOUNTS_INVALID_INPUT, ACCOUNTS_THROTTLED; ACCOUNTS_CONFLICT:
 * `slug_taken`, `changed_meanwhile`
 */
export async function updateOrganization(
  deps: OrganizationDeps,
  actor: Actor,
  organizationName: string,
  { name, slug, fields = {} }: OrganizationChanges,
): Promise<Inside> {
  const spend = spendOnce(deps, 'changeOrganization', actor)
  return changeInside(deps, actor, organizationName, async (inside) => {
    demand(inside, 'org:edit')
    const { organization } = inside
    const own = fieldChanges(deps.settings, organization.fields, fields)
    checkOrganization({ name, slug }, own.faults)
    const after = {
      ...organization,
      ...(name !== undefined && { name: name.trim() }),
      ...(slug !== undefined && { slug }),
      fields: own.changed(organization.fields),
    }
    const changed = changedNames(organization, after)
    if (changed.length === 0) return { write: null, result: inside }
    // Each write makes others at the same moment decide again.
    await spend()
    const { id, version } = organization
    return {
      write: { changes: { name: after.name, slug: after.slug, fields: after.fields } },
      messages: deps.events.about('organization.updated', actor === 'host' ? null : actor, {
        organization_id: id,
        fields: changed,
      }),
      result: { ...inside, organization: { ...after, version: version + 1 } },
    }
  })
}

function changedNames(before: Organization, after: Organization): string[] {
  const own = Object.keys({ ...before.fields, ...after.fields })
  return [
    ...(['name', 'slug'] as const).filter((name) => before[name] !== after[name]),
    ...own.filter((name) => !isDeepStrictEqual(before.fields[name], after.fields[name])),
  ]
}
