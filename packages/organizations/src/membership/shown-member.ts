import type { Member } from './list-members.js'

/** A member as others inside see them. */
export function shownMember({ membership: { userId, roles, since }, user }: Member): object {
  return {
    user_id: userId,
    kind: user?.kind === 'service' ? 'service' : 'person',
    username: user?.username ?? null,
    email: user?.email ?? null,
    roles: [...roles],
    since: since.toISOString(),
  }
}
