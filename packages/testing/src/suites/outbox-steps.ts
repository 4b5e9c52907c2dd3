import type { Outbox, OutboxEntry, PendingMail, UserStore } from 'fastify-accounts'
import { check, same } from './checks.js'
import { newMessage, type TestMessage } from './messages.js'
import type { Calls } from './outage.js'
import { newUser } from './users.js'

/** A store and its outbox. */
export interface WithOutbox {
  store: UserStore
  /** For the messages of the laws. */
  outbox: Outbox<TestMessage>
  /** The same one, for emails. */
  mails: Outbox<PendingMail>
}

type Entry = OutboxEntry<TestMessage>

/** Seconds of a stopped clock. It is far ahead, since new messages are due from now on by the store's own clock. */
export const at = (seconds: number): Date => new Date(Date.UTC(2099, 0) + seconds * 1000)

/** The time by the clock that also sets the time of posting. */
export const clock = async (store: UserStore): Promise<Date> => (await store.now?.()) ?? new Date()

/** Claims for a minute. */
export const claimAt = (
  outbox: Outbox<TestMessage>,
  seconds: number,
  limit = 100,
  realms: readonly string[] = ['accounts'],
): Promise<Entry[]> => outbox.claim({ realms, now: at(seconds), until: at(seconds + 60), limit })

/** The names of the messages, sorted. */
export const names = (entries: readonly Entry[]): string[] =>
  entries.map(({ message }) => message.name).sort()

export async function claimOne(outbox: Outbox<TestMessage>, seconds: number): Promise<Entry> {
  const [entry, ...others] = await claimAt(outbox, seconds)
  same(others, [], 'the other messages claimed')
  check(entry !== undefined, `no message could be claimed ${seconds} seconds later`)
  return entry
}

/** Adds messages of a realm that has none yet, postponed until the given times. */
export async function addPostponed(
  outbox: Outbox<TestMessage>,
  dueTimes: { readonly [name: string]: Date },
  realm = 'accounts',
): Promise<void> {
  await outbox.add(Object.keys(dueTimes).map((name) => newMessage({ realm, name })))
  for (const entry of await claimAt(outbox, 0, 100, [realm])) {
    const dueAt = dueTimes[entry.message.name] ?? null
    same(await outbox.postpone(entry, { dueAt, attempts: 1, error: 'busy' }), true, 'postpone()')
  }
}

/** Adds a dead letter, and returns its id. */
export async function bury(outbox: Outbox<TestMessage>, changes: Partial<TestMessage> = {}): Promise<string> {
  const message = newMessage(changes)
  await outbox.add([message])
  const entries = await claimAt(outbox, 0, 100, [message.realm])
  const entry = entries.find((each) => each.message.name === message.name)
  check(entry !== undefined, 'no message could be claimed')
  const then = { dueAt: null, attempts: entry.attempts, error: 'refused' }
  same(await outbox.postpone(entry, then), true, 'postpone()')
  return entry.id
}

/** A user, a claimed message and one that waits, with the calls that would change any of them. */
export async function inUse({ store, outbox }: WithOutbox) {
  const user = await store.create(newUser())
  await outbox.add([newMessage({ name: 'claimed' })])
  const entry = await claimOne(outbox, 0)
  await outbox.add([newMessage({ name: 'waiting' })])
  const more = [newMessage({ name: 'more' })]
  const newcomer = newUser()
  const writes: Calls = {
    'add()': () => outbox.add(more),
    'claim()': () => claimAt(outbox, 0),
    'renew()': () => outbox.renew(entry, at(1000)),
    'postpone()': () => outbox.postpone(entry, { dueAt: null, attempts: 1, error: 'late' }),
    'split()': () => outbox.split(entry, more),
    'remove()': () => outbox.remove(entry),
    'create() with a message': () => store.create(newcomer, more),
    'update() with a message': () => store.update(user.id, { isStaff: true }, 1, more),
    'delete() with a message': () => store.delete(user.id, more),
  }
  return {
    entry,
    writes,
    /** Fails if one of them had an effect. */
    async isUnchanged(after: string): Promise<void> {
      same(await store.findById(user.id), user, `the user after ${after}`)
      same(
        await store.findByUsername(`${newcomer.usernameKey}`),
        null,
        `the user that was not to be created, after ${after}`,
      )
      same(await outbox.count('accounts'), { waiting: 2, dead: 0 }, `count() after ${after}`)
      same(names(await claimAt(outbox, 0)), ['waiting'], `the messages claimed after ${after}`)
      same(await outbox.remove(entry), true, `remove() by the claim from before ${after}`)
    },
  }
}

/** Takes all messages that wait. */
export async function waiting(outbox: Outbox<TestMessage>): Promise<TestMessage[]> {
  const entries = await claimAt(outbox, 0)
  for (const entry of entries) await outbox.remove(entry)
  return entries.map(({ message }) => message)
}
