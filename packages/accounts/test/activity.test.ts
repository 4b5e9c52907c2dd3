import { newActivityEntry } from '@fastify-accounts/testing'
import { expect, test } from 'vitest'
import { createActivityWriter } from '../src/features/activity/subscriber/activity-writer.js'
import { entryOf } from '../src/features/activity/subscriber/entry-of.js'
import { type AccountEvent, type ActivityStore, createMemoryActivityStore } from '../src/index.js'

const event = (changes: Partial<AccountEvent> = {}): AccountEvent =>
  ({
    id: '0',
    type: 'user.updated',
    at: '2026-11-30T01:02:03.004Z',
    realm: 'accounts',
    user: { id: 'ada', version: 2 },
    actor: { kind: 'request', id: 'ada', device: 'Firefox, Linux', network: '192.0.2.0/24' },
    data: { fields: ['plan'] },
    ...changes,
  }) as AccountEvent

/** A writer for a store whose first `add` waits, and in which these users exist. */
function writerFor({ add = true, users = ['ada', 'ben'] } = {}) {
  const store = createMemoryActivityStore()
  const sizes: number[] = []
  let release = () => {}
  const isFree = new Promise<void>((resolve) => {
    release = resolve
  })
  const activity: ActivityStore = {
    ...store,
    async add(entries, keep) {
      sizes.push(entries.length)
      if (sizes.length === 1) await isFree
      if (sizes.length === 1 && !add) throw new Error('down')
      return store.add(entries, keep)
    },
  }
  const findById = async (id: string) => (users.includes(id) ? ({ id } as never) : null)
  return { store, sizes, release, write: createActivityWriter(activity, { findById }) }
}

test('an event is an entry of the account that it is about', () => {
  expect(entryOf(event())).toEqual({
    id: '0',
    userId: 'ada',
    type: 'user.updated',
    at: new Date('2026-11-30T01:02:03.004Z'),
    actor: 'request',
    device: 'Firefox, Linux',
    network: '192.0.2.0/24',
    data: { fields: ['plan'] },
  })
})

test('an event about nobody, and an email that was given up, are no entries', () => {
  expect(entryOf(event({ user: null }))).toBeNull()
  expect(entryOf(event({ type: 'mail.given_up', data: { kind: 'reset' } } as never))).toBeNull()
})

test('of a request by somebody else, only that it was one is kept', () => {
  const actor = {
    kind: 'request',
    id: 'staff-7',
    device: 'Chrome, macOS',
    network: '198.51.100.0/24',
  } as const
  expect(entryOf(event({ actor }))).toMatchObject({ actor: 'staff', device: null, network: null })
  const host = { kind: 'host', id: 'staff-7', reason: 'a ticket' } as const
  expect(JSON.stringify(entryOf(event({ actor: host })))).not.toMatch(/staff-7|ticket/)
})

test('what is longer than a store takes is cut or left out', () => {
  const actor = { kind: 'request', id: null, device: `x\0${'y'.repeat(300)}`, network: '\ud800' } as const
  const own = { ...actor, id: 'ada' }
  const long = event({
    actor: own,
    type: `a.${'b'.repeat(200)}` as never,
    data: { fields: ['x'.repeat(5000)] },
  })
  const entry = entryOf(long)
  expect(entry?.type).toHaveLength(100)
  expect(entry?.device).toHaveLength(199)
  expect(entry).toMatchObject({ network: '\ufffd', data: {} })
})

test('entries that arrive during one call are added by the next, together', async () => {
  const { store, sizes, release, write } = writerFor()
  const first = write(newActivityEntry({ userId: 'ada' }))
  await Promise.resolve()
  const others = [1, 2, 3].map((n) => write(newActivityEntry({ userId: n % 2 ? 'ada' : 'ben' })))
  release()
  await Promise.all([first, ...others])
  expect(sizes).toEqual([1, 3])
  expect(await store.list('ada', { limit: 9 })).toHaveLength(3)
})

test('an entry that was not added is refused, and the next is added all the same', async () => {
  const { store, release, write } = writerFor({ add: false })
  const first = write(newActivityEntry({ userId: 'ada' }))
  await Promise.resolve()
  const next = write(newActivityEntry({ userId: 'ada' }))
  release()
  await expect(first).rejects.toThrow('down')
  await next
  expect(await store.list('ada', { limit: 9 })).toHaveLength(1)
})

test('an event that is delivered twice is one entry', async () => {
  const { store, release, write } = writerFor()
  release()
  const entry = newActivityEntry({ userId: 'ada' })
  await Promise.all([write(entry), write(structuredClone(entry))])
  await write(structuredClone(entry))
  expect(await store.list('ada', { limit: 9 })).toEqual([entry])
})

test('an entry of somebody who is gone does not stay, nor do earlier ones', async () => {
  const { store, release, write } = writerFor({ users: ['ben'] })
  release()
  await store.add([newActivityEntry({ userId: 'ada' })], 9)
  await Promise.all([write(newActivityEntry({ userId: 'ada' })), write(newActivityEntry({ userId: 'ben' }))])
  expect(await store.list('ada', { limit: 9 })).toEqual([])
  expect(await store.list('ben', { limit: 9 })).toHaveLength(1)
})
