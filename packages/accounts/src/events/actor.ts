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

/** Who calls `app.accounts`, and why, as the app's code says. */
export interface CallFacts {
  actor: string | null
  reason: string | null
}

export const hostActor =
  ({ actor, reason }: CallFacts): ActorOf =>
  () => ({ kind: 'host', id: actor, reason })

export const pluginActor: ActorOf = () => ({ kind: 'plugin' })

export const commandActor: ActorOf = () => ({ kind: 'command' })

/** Decorates the app that a command loads: whatever is called there, the command does. */
export const byCommand: unique symbol = Symbol('fastify-accounts.command')
