import type { Member } from '../membership/list-members.js'
import type { OwnOrganization } from '../organization/list-own-organizations.js'
import type { MemberRole } from '../roles.js'
import type { Organization } from '../store/organization-store.js'
import type { HostMember, HostMembership, HostOrganization } from './host-organizations.js'

/** Most calls are about no account. `null` and `false` if there is no such organization. */
export const ofNobody = (result: unknown): null | undefined =>
  result === null || result === false ? undefined : null

export function shown({ id, slug, name, fields, createdAt, members }: Organization): HostOrganization {
  return { id, slug, name, fields, createdAt, members }
}

export function shownMember({ membership: { userId, roles, since }, user }: Member): HostMember {
  return {
    userId,
    kind: user?.kind === 'service' ? 'service' : 'person',
    username: user?.username ?? null,
    email: user?.email ?? null,
    roles: roles as readonly MemberRole[],
    since,
  }
}

export const shownMembership = ({
  organization,
  membership: { roles, since },
}: OwnOrganization): HostMembership => ({
  ...{ organization: shown(organization), roles: roles as readonly MemberRole[], since },
})
