import { isEvents, type PendingEvents } from '../seams/events.js'
import type { InvitationStoreCalls } from '../seams/invitation-store.js'
import type { PendingMessage } from '../seams/outbox.js'
import { changeBy, type UserCalls } from '../sessions/user-updates.js'
import type { ActorOf } from './actor.js'
import { eventsOfChange, eventsOfCreation, eventsOfDeletion } from './derive.js'
import type { Draft } from './draft.js'
import type { EventWriter } from './writer.js'

export interface EventfulStores {
  users: UserCalls
  invitations: InvitationStoreCalls
}

/**
 * The same stores, where each write stores its events as well. Nothing is computed while nobody wants any.
 * @param actor who writes
 */
export function eventfulStores(
  { users, invitations }: EventfulStores,
  writer: EventWriter,
  actor: ActorOf,
): EventfulStores {
  const isHeard = () => writer.interest.isAny()

  /** The other messages, and one with all events: those of the write, and those that it was given. */
  function along(
    drafts: readonly Draft[],
    messages: readonly PendingMessage[],
    { id, version }: { id: string; version: number | null },
  ): readonly PendingMessage[] {
    const added = messages.filter(isEvents)
    if (drafts.length + added.length === 0) return messages
    const stamped = added.map((message) => withVersion(message, id, version))
    const own = writer.write(drafts, actor, id || null)
    const all = stamped.length === 0 ? own : writer.join([...own, ...stamped], id || null)
    return [...messages.filter((message) => !isEvents(message)), ...all]
  }

  const update: UserCalls['update'] = async (user, changes, rest = {}) => {
    if (!isHeard()) return users.update(user, changes, rest)
    const version = user.version + 1
    const drafts = eventsOfChange(user, changes)
    return users.update(user, changes, {
      ...rest,
      messages: along(drafts, rest.messages ?? [], { id: user.id, version }),
    })
  }

  return {
    users: {
      ...users,
      async create(user, messages = [], wanted) {
        if (!isHeard()) return users.create(user, messages, wanted)
        const drafts = eventsOfCreation(user)
        const all = along(drafts, messages, { id: '', version: 1 })
        return users.create(user, user.kind === 'unclaimed' ? all.map(unheard) : all, wanted)
      },
      update,
      change: changeBy({ findById: users.findById, update }),
      async delete(user, rest = {}) {
        if (!isHeard()) return users.delete(user, rest)
        const drafts = eventsOfDeletion(user)
        const messages = along(drafts, rest.messages ?? [], { id: user.id, version: user.version + 1 })
        return users.delete(user, { ...rest, messages })
      },
    },
    invitations: {
      ...invitations,
      async create(invitation, messages = []) {
        if (!isHeard()) return invitations.create(invitation, messages)
        const { id, inviterId } = invitation
        const user = inviterId === null ? null : { id: inviterId, version: null }
        const draft: Draft = { type: 'invitation.created', user, data: { invitation_id: id } }
        return invitations.create(invitation, [...messages, ...writer.write([draft], actor, inviterId)])
      },
    },
  }
}

/** The version that a write gives its user, whom a message was about before it. */
function withVersion(message: PendingEvents, id: string, version: number | null): PendingEvents {
  const events = message.events.map((event) =>
    event.user?.id === id ? { ...event, user: { id, version } } : event,
  )
  return { ...message, events: events as PendingEvents['events'] }
}

/** What nobody gets: the work is that of a message that somebody does. */
const unheard = (message: PendingMessage): PendingMessage =>
  isEvents(message) ? ({ ...message, to: [] } as PendingEvents) : message
