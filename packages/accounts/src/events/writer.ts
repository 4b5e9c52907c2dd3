import { randomUUID } from 'node:crypto'
import type { AccountEvent, PendingEvents } from '../seams/events.js'
import type { ActorOf } from './actor.js'
import type { Draft } from './draft.js'
import type { Interest } from './interest.js'
import { eventRealm } from './realms.js'

/** Makes of events what waits in the outbox. */
export interface EventWriter {
  readonly interest: Interest
  /**
   * The events of one change, as one message; none if nobody wants any of them.
   * @param userId as the outbox has it: whom the change was of
   */
  write(drafts: readonly Draft[], actor: ActorOf, userId: string | null): readonly PendingEvents[]
  /** One message with the events of several. */
  join(messages: readonly PendingEvents[], userId: string | null): readonly PendingEvents[]
}

/** @param mount its `decorateAs.instance` */
export function createEventWriter(mount: string, interest: Interest): EventWriter {
  function messageOf(events: readonly AccountEvent[], userId: string | null): readonly PendingEvents[] {
    const to = interest.addressees(events.map(({ type }) => type))
    return to === undefined ? [] : [{ realm: eventRealm(mount), userId, events, to }]
  }

  return {
    interest,
    write(drafts, actor, userId) {
      if (!drafts.some(({ type }) => interest.wants(type))) return []
      const at = new Date().toISOString()
      const events = drafts.map(
        ({ type, user, data }) =>
          ({ id: randomUUID(), type, at, realm: mount, user, actor: actor(user), data }) as AccountEvent,
      )
      return messageOf(events, userId)
    },
    join: (messages, userId) =>
      messageOf(
        messages.flatMap(({ events }) => events),
        userId,
      ),
  }
}
