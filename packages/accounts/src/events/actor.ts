import type { EventActor } from '../seams/events.js'
import type { Client } from '../sessions/client.js'
import type { User } from '../user.js'

/** Who causes an event, depending on whom it is about. Only called for one that somebody wants: describing a client costs. */
export type ActorOf = (about: Pick<User, 'id'> | null) => EventActor

/** Who sends a request, as far as events say. */
export type RequestFacts = Pick<Client, 'details' | 'network'>

/** @param who who is logged in */
export function requestActor(client: RequestFacts, who: Pick<User, 'id'> | null): ActorOf {
  return (about) => {
    const id = who?.id ?? null
    // Whose account it is must not learn where those are who work on it.
    if (id !== null && about?.id !== id) return { kind: 'request', id, device: null, network: null }
    const { details, network } = client
    const device = [details.browser, details.system].filter((each) => each !== null).join(', ')
    return { kind: 'request', id, device: device || null, network }
  }
}

/** The app's own code, and who and why, as it says. */
export const hostActor =
  ({
    actor = null,
    reason = null,
  }: {
    actor?: string | null | undefined
    reason?: string | null | undefined
  }): ActorOf =>
  () => ({ kind: 'host', id: actor, reason })

export const pluginActor: ActorOf = () => ({ kind: 'plugin' })

export const commandActor: ActorOf = () => ({ kind: 'command' })
