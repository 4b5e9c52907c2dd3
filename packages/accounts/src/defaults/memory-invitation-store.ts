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
  const byAddress = new Map<string, Set<Invitation>>()

  const ofAddress = (emailKey: string): Invitation[] => [...(byAddress.get(emailKey) ?? [])]

  function remove(invitation: Invitation): void {
    const { id, emailKey } = invitation
    byId.delete(id)
    const others = byAddress.get(emailKey)
    others?.delete(invitation)
    if (others?.size === 0) byAddress.delete(emailKey)
  }

  return {
    async create(invitation) {
      assertInTime()
      const { id, target, inviterId, emailKey } = invitation
      for (const [name, text] of Object.entries({ id, target, emailKey })) assertText(name, text)
      if (inviterId !== null) assertText('inviterId', inviterId)
      const isSame = (other: Invitation) => other.target === target && other.inviterId === inviterId
      if (ofAddress(emailKey).some(isSame)) return false
      if (byId.has(id)) throw new InvalidArgumentError('id is in use')
      const kept = copy({ ...invitation, version: 1 })
      byId.set(id, kept)
      byAddress.set(emailKey, (byAddress.get(emailKey) ?? new Set()).add(kept))
      return true
    },

    async find(id) {
      assertText('id', id)
      const found = byId.get(id)
      return found === undefined ? null : copy(found)
    },

    async listByEmail(emailKey) {
      assertText('emailKey', emailKey)
      return ofAddress(emailKey)
        .sort((a, b) => compare(b, a))
        .map(copy)
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
      const { email, gives, expiresAt, sends, acceptingUntil } = changes
      if (email !== undefined) found.email = email
      if (gives !== undefined) found.gives = gives
      if (expiresAt !== undefined) found.expiresAt = expiresAt
      if (sends !== undefined) found.sends = sends
      if (acceptingUntil !== undefined) found.acceptingUntil = acceptingUntil
      found.version += 1
      Object.assign(found, copy(found))
      return copy(found)
    },

    async delete(id, expectedVersion) {
      assertInTime()
      assertText('id', id)
      const found = byId.get(id)
      if (found === undefined || (expectedVersion !== undefined && found.version !== expectedVersion))
        return false
      remove(found)
      return true
    },

    async deleteExpired(now) {
      const expired = [...byId.values()].filter(({ expiresAt }) => expiresAt < now)
      for (const invitation of expired) remove(invitation)
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
