import type { Stores } from '@fastify-accounts/test-support/faults/grounds'
import { type OnCall, watch } from '@fastify-accounts/test-support/faults/probe'
import { createPost, startService } from '@fastify-accounts/test-support/faults/service'
import type { InjectOptions } from 'fastify'
import type { AccountEvent, AccountsOptions, Outbox, PendingEvents } from 'fastify-accounts'
import { expect } from 'vitest'
import { isWrite, storesWithOutbox } from './notices.js'

/** What a request has changed, by the store methods that did, and the events that tell of it. */
export interface Told {
  status: number
  written: string[]
  events: AccountEvent[]
}

/** Options, or what makes them for these stores. */
export type OptionsOn = Partial<AccountsOptions> | ((stores: Stores) => Partial<AccountsOptions>)

export const optionsOn = (stores: Stores, options: OptionsOn): Partial<AccountsOptions> =>
  typeof options === 'function' ? options(stores) : options

/**
 * Sends requests to services that store events, about users that another service on the same stores has set up: so all events
 * are the request's.
 */
export function eventWatch(given: OptionsOn) {
  const stores = storesWithOutbox()
  const options = optionsOn(stores, given)
  const post = createPost()
  return {
    setUp: () => startService(stores, options, post),
    /** @param request made before, by the service that has set up what it needs */
    async send(request: InjectOptions): Promise<Told> {
      const { app, send } = await startService(stores, { ...options, events: true }, post)
      const written: string[] = []
      const response = await watch(noting(written), () => send(request))
      // What is told in batches is stored by then.
      await app.close()
      return { status: response.statusCode, written, events: await waitingEvents(stores) }
    },
  }
}

const noting =
  (written: string[]): OnCall =>
  (method, inner) => {
    if (!isWrite(method)) return inner()
    return Promise.resolve(inner()).then((result) => {
      if (result !== null && result !== false && result !== 'changed') written.push(method)
      return result
    })
  }

async function waitingEvents({ users }: Stores): Promise<AccountEvent[]> {
  const outbox = users.outbox as Outbox<PendingEvents> | undefined
  const now = new Date()
  const at = { realms: ['accounts:events'], now, until: new Date(now.getTime() + 1000), limit: 1000 }
  const events: AccountEvent[] = []
  for (const entry of (await outbox?.claim(at)) ?? []) {
    const { userId, events: own, to } = entry.message
    await outbox?.remove(entry)
    // Stored so that the work is the same; nobody gets it.
    if (to?.length === 0) continue
    for (const { user, ...event } of own)
      events.push({ ...event, user: user && { ...user, id: user.id || (userId ?? '') } } as AccountEvent)
  }
  return events
}

/** What changes something that nobody is told of, by what it is that changes. */
export const untold: Readonly<Record<string, readonly string[]>> = {
  'how recently a session was confirmed': [
    'confirm',
    'a confirmation',
    'a confirmation code',
    'a confirmation with a passkey',
    'a confirmation at the provider',
    'a confirmation by a code, in the app',
    'a confirmation by an ID token of an SDK',
  ],
  'which flow of another provider goes on': [
    'the question whose a used account is',
    'the end of it in the browser',
  ],
  'which refresh token is the latest': [
    'a refresh',
    'a refresh after a confirmation whose response was lost',
  ],
  'how many wrong codes are left': [
    'a wrong code',
    'a wrong reset code',
    'a wrong passkey after the password',
  ],
  'the day on which a key was used': ["a program's request to a route of the host"],
  'another link of an invitation': [
    'an invitation sent again',
    'an invitation sent again by the host',
    'an invitation to an organization sent again',
  ],
  'a link that can no longer be used': ['email-keep'],
  'a sign-up with an address that another account has, which becomes nobody': [
    'create (user) with the address alone, to be confirmed with an address that has an account',
    'create (signup) with the address alone, to be confirmed with an address that has an account',
    'create (user) to be confirmed with an address that has an account',
    'create (signup) to be confirmed with an address that has an account',
  ],
}

/** What a request of this name has done. */
export type Outcome = Told & { name: string }

/** Each that has changed something has told of it, unless it is listed; and no other has told of anything. */
export function expectTold(outcomes: readonly Outcome[]): void {
  const listed = Object.values(untold).flat()
  const silent = outcomes.filter(({ written, events }) => written.length > 0 && events.length === 0)
  const shown = ({ name, written }: Outcome) => `${name}: ${written}`
  expect(
    silent.filter(({ name }) => !listed.includes(name)).map(shown),
    'these change something and have no event: give them one, or list them with a reason',
  ).toEqual([])
  const needless = outcomes.filter(({ name, events }) => listed.includes(name) && events.length > 0)
  expect(needless.map(shown), 'these have events, and need not be listed').toEqual([])
  const idle = outcomes.filter(({ written, events }) => written.length === 0 && events.length > 0)
  expect(
    idle.map(({ name, events }) => `${name}: ${events.map(({ type }) => type)}`),
    'these change nothing, and tell of something',
  ).toEqual([])
}
