/*
 * Begin here. What becomes an event, in the order of the files:
 *
 * 1. Make: derive.ts says which events a write of a user record is, eventful-stores.ts stores them along with it; features
 *    add their own with `about`, as they do emails. actor.ts says who causes them.
 * 2. Address: interest.ts knows who wants which type. What nobody wants is neither computed nor stored.
 * 3. Store: writer.ts makes one message of all events of a change. batch.ts collects what no change stores, refusals.ts
 *    counts refused attempts.
 */

import type { OutageLog } from '../adapters/outages.js'
import type { EventData, EventType, PendingEvents } from '../seams/events.js'
import type { User } from '../user.js'
import {
  type ActorOf,
  type CallFacts,
  hostActor,
  pluginActor,
  type RequestFacts,
  requestActor,
} from './actor.js'
import { createBatch } from './batch.js'
import type { Draft } from './draft.js'
import { type EventfulStores, eventfulStores } from './eventful-stores.js'
import { createRefusals } from './refusals.js'
import type { EventWriter } from './writer.js'

/** Features tell with it what has happened, apart from what a write of a user record shows by itself. */
export interface Events {
  /**
   * An event, to be stored along with a change like an email, which gives it the version of its user; or to be posted. None if
   * nobody wants it.
   * @param user whom it is about; `null` if nobody
   */
  about<Type extends EventType>(
    type: Type,
    user: Pick<User, 'id'> | null,
    data: EventData[Type],
  ): readonly PendingEvents[]
  /**
   * Stores events that belong to no change of an account: before what they tell of is final, or a crash loses them.
   * @throws AccountsError ACCOUNTS_UNAVAILABLE
   */
  post(events: readonly PendingEvents[]): Promise<void>
  /** Tells an event soon, along with others: it is lost if the process dies or the outbox is unavailable. */
  tell<Type extends EventType>(type: Type, user: Pick<User, 'id'> | null, data: EventData[Type]): void
}

/** For the plugin only. */
export interface EventOffice extends Events {
  /** Whether anybody wants any. */
  isHeard(): boolean
  wants(type: EventType): boolean
  /** Counts that somebody who isn't logged in was refused at an account, at an action of the audit trail. */
  refused(userId: string, action: string): void
  /** The same, and the stores, for what a request causes. */
  onRequest(client: RequestFacts, who: Pick<User, 'id'> | null): Eventful
  /** The same for what the app's own code does, as it says. */
  onCall(call: CallFacts): Eventful
  /** The same for what the plugin does by itself. */
  byPlugin(): Eventful
  /** Posts what waits in the process. */
  flush(): Promise<void>
}

/** What tells events: by itself, or with each write. */
export type Eventful = EventfulStores & { events: EventOffice }

/**
 * @param deps.stores as they are without events
 * @param deps.post stores messages in the outbox, and has them delivered
 */
export function createEvents({
  writer,
  stores,
  post,
  callActor = hostActor,
  log,
}: {
  writer: EventWriter
  stores: EventfulStores
  post(messages: readonly PendingEvents[]): Promise<void>
  /** Who calls `app.accounts`. Default: the app's own code. */
  callActor?: ((call: CallFacts) => ActorOf) | undefined
  log: Pick<OutageLog, 'info' | 'warn'>
}): Eventful {
  const { interest } = writer
  const postAny = async (messages: readonly PendingEvents[]): Promise<void> => {
    if (messages.length > 0) await post(messages)
  }
  const batch = createBatch(writer, postAny, log)
  const nobodys: ActorOf = () => ({ kind: 'request', id: null, device: null, network: null })
  const refusals = createRefusals((id, data) =>
    batch.add(writer.write([{ type: 'session.refused', user: { id, version: null }, data }], nobodys, id)),
  )

  function eventfulBy(actor: ActorOf): Eventful {
    const about: Events['about'] = (type, user, data) => {
      const id = user?.id ?? null
      const draft = { type, user: id === null ? null : { id, version: null }, data } as Draft
      return writer.write([draft], actor, id)
    }
    const events: EventOffice = {
      about,
      post: postAny,
      tell: (...event) => batch.add(about(...event)),
      isHeard: interest.isAny,
      wants: interest.wants,
      refused(userId, action) {
        if (interest.wants('session.refused')) refusals.count(userId, action)
      },
      onRequest: (client, who) => eventfulBy(requestActor(client, who)),
      onCall: (call) => eventfulBy(callActor(call)),
      byPlugin: () => eventfulBy(pluginActor),
      async flush() {
        refusals.flush()
        await batch.flush()
      },
    }
    return { ...eventfulStores(stores, writer, actor), events }
  }

  return eventfulBy(callActor({ actor: null, reason: null }))
}
