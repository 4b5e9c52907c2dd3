import { assertInTime } from '../seams/call-deadline.js'
import type { Invitation, InvitationStore } from '../seams/invitation-store.js'
import { assertText, InvalidArgumentError } from '../seams/store-errors.js'

/**
 * An invitation store in this process' memory: for tests and trying out. A restart loses every invitation.
 *
 * @throws InvalidArgumentError from its methods, as `InvitationStore` says; never UnavailableError
 */
export function createMemoryInvitationStore(): InvitationStore {
  const byId = new Map<string, Invitation>()

  return {
    async create(invitation) {
      assertInTime()
      const { id, target, inviterId, emailKey } = invitation
      for (const [name, text] of Object.entries({ id, target, emailKey })) assertText(name, text)
      if (inviterId !== null) assertText('inviterId', inviterId)
      const isSame = (other: Invitation) =>
        other.target === target && other.inviterId === inviterId && other.emailKey === emailKey
      if ([...byId.values()].some(isSame)) return false
      if (byId.has(id)) throw new InvalidArgumentError('id is in use')
      byId.set(id, copy({ ...invitation, version: 1 }))
      return true
    },

    async find(id) {
      assertText('id', id)
      const found = byId.get(id)
      return found === undefined ? null : copy(found)
    },

    async listByEmail(emailKey) {
      assertText('emailKey', emailKey)
      const matching = [...byId.values()].filter((each) => each.emailKey === emailKey)
      return matching.sort((a, b) => compare(b, a)).map(copy)
    },

    async list({ target, inviterId, limit, after }) {
      if (target !== undefined) assertText('target', target)
      if (inviterId !== undefined && inviterId !== null) assertText('inviterId', inviterId)
      const matching = [...byId.values()].filter(
        (each) =>
          (target === undefined || each.target === target) &&
          (inviterId === undefined || each.inviterId === inviterId) &&
          (after === undefined || compare(each, after) > 0),
      )
      return matching.sort(compare).slice(0, limit).map(copy)
    },

    async update(id, changes, expectedVersion) {
      assertInTime()
      assertText('id', id)
      const found = byId.get(id)
      if (found?.version !== expectedVersion) return null
      const { target, inviterId, emailKey, createdAt, version } = found
      const entries = Object.entries(changes).filter(([, value]) => value !== undefined)
      const fixed = { id, target, inviterId, emailKey, createdAt, version: version + 1 }
      const changed = { ...found, ...Object.fromEntries(entries), ...fixed }
      byId.set(id, copy(changed))
      return copy(changed)
    },

    async delete(id, expectedVersion) {
      assertInTime()
      assertText('id', id)
      const found = byId.get(id)
      if (found === undefined || (expectedVersion !== undefined && found.version !== expectedVersion))
        return false
      return byId.delete(id)
    },

    async deleteExpired(now) {
      const expired = [...byId.values()].filter(({ expiresAt }) => expiresAt < now)
      for (const { id } of expired) byId.delete(id)
      return expired.length
    },
  }
}

type Position = Pick<Invitation, 'createdAt' | 'id'>

function compare(a: Position, b: Position): number {
  return a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : Number(a.id > b.id))
}

function copy(invitation: Invitation): Invitation {
  return structuredClone(invitation)
}
