import { createKyselyUserStore, migrate } from '@fastify-accounts/kysely'
import { sqliteDialect } from '@fastify-accounts/kysely/dialects'
import { breaksLaws } from '@fastify-accounts/test-support/sabotage'
import type { Outbox, UserStore } from 'fastify-accounts'
import { newPendingMail, outboxCases, runCases } from 'fastify-accounts/testing'
import { Kysely } from 'kysely'
import SqliteFile from 'libsql'
import { expect, test } from 'vitest'

type Store = UserStore & { outbox: Outbox }

async function freshStore(): Promise<Store> {
  const db = new Kysely({ dialect: sqliteDialect(new SqliteFile(':memory:')) })
  await migrate(db)
  return createKyselyUserStore({ db, destroyOnClose: true }) as Store
}

/** Stores with one fault each, and the law that must notice. */
const sabotages: Record<string, [law: string, fault: (store: Store) => Partial<UserStore>]> = {
  'what is added loses its language': [
    'law 1: an email is claimed exactly',
    ({ outbox }) => ({
      outbox: { ...outbox, add: (mails) => outbox.add(mails.map((mail) => ({ ...mail, device: null }))) },
    }),
  ],
  'only the first of several is kept': [
    'law 2:',
    ({ outbox }) => ({ outbox: { ...outbox, add: (mails) => outbox.add(mails.slice(0, 1)) } }),
  ],
  'a claim holds nobody off': [
    'law 3: a claimed email',
    ({ outbox }) => ({ outbox: { ...outbox, claim: (at) => outbox.claim({ ...at, until: at.now }) } }),
  ],
  'a claim cannot be renewed': [
    'law 3: a renewed claim',
    ({ outbox }) => ({ outbox: { ...outbox, renew: async () => true } }),
  ],
  'a renewal counts as a try': [
    'law 3: a renewed claim',
    ({ outbox }) => {
      const renewed = new Set<string>()
      return {
        outbox: {
          ...outbox,
          async renew(entry, until) {
            renewed.add(entry.id)
            return outbox.renew(entry, until)
          },
          claim: async (at) =>
            (await outbox.claim(at)).map((entry) => ({
              ...entry,
              tries: entry.tries + Number(renewed.has(entry.id)),
            })),
        },
      }
    },
  ],
  'two claims at the same moment get the same mails': [
    'law 3: of many simultaneous claims',
    ({ outbox }) => {
      let last: ReturnType<Outbox['claim']> | null = null
      return {
        outbox: {
          ...outbox,
          claim(at) {
            last ??= outbox.claim(at).finally(() => {
              last = null
            })
            return last
          },
        },
      }
    },
  ],
  'a claim takes more than it is told': [
    'law 4: claim takes at most',
    ({ outbox }) => ({
      outbox: { ...outbox, claim: (at) => outbox.claim({ ...at, limit: at.limit && at.limit + 10 }) },
    }),
  ],
  'realms are one': [
    'law 4: claim takes emails of the given realm',
    ({ outbox }) => ({
      outbox: {
        ...outbox,
        add: (mails) => outbox.add(mails.map((mail) => ({ ...mail, realm: 'accounts' }))),
        claim: (at) => outbox.claim({ ...at, realm: 'accounts' }),
      },
    }),
  ],
  'what is put off keeps its tries': [
    'law 5:',
    ({ outbox }) => ({
      outbox: { ...outbox, postpone: (entry, then) => outbox.postpone(entry, { ...then, tries: 5 }) },
    }),
  ],
  'a stale claim still counts': [
    'law 6: a claim that another has replaced',
    ({ outbox }) => {
      const claims = new Map<string, string>()
      return {
        outbox: {
          ...outbox,
          async claim(at) {
            const entries = await outbox.claim(at)
            for (const { id, claim } of entries) claims.set(id, claim)
            return entries
          },
          remove: ({ id, claim }) => outbox.remove({ id, claim: claims.get(id) ?? claim }),
        },
      }
    },
  ],
  'a dead letter is tried again': [
    'law 7: a dead letter is not claimed',
    ({ outbox }) => ({
      outbox: {
        ...outbox,
        postpone: (entry, then) => outbox.postpone(entry, { ...then, dueAt: then.dueAt ?? new Date(0) }),
      },
    }),
  ],
  'a long reason is refused': [
    'law 7: an error of any length',
    ({ outbox }) => ({
      outbox: {
        ...outbox,
        async postpone(entry, then) {
          if (then.error.length > 1000) throw new Error('value too long')
          return outbox.postpone(entry, then)
        },
      },
    }),
  ],
  'pages begin anew': [
    'law 8:',
    ({ outbox }) => ({ outbox: { ...outbox, listDead: ({ limit }) => outbox.listDead({ limit }) } }),
  ],
  'whatever is there can be sent again': [
    'law 9:',
    ({ outbox }) => ({
      outbox: { ...outbox, retry: async (id, now) => (await outbox.retry(id, now)) || id !== 'nobody' },
    }),
  ],
  'mails go along without the id': [
    'law 11: an email of a creation',
    (store) => ({
      async create(user, mails = []) {
        const created = await store.create(user)
        await store.outbox.add(mails)
        return created
      },
    }),
  ],
  'the mails of a creation are written first': [
    'law 11: a rejected creation',
    (store) => ({
      async create(user, mails = []) {
        await store.outbox.add(mails)
        return store.create(user)
      },
    }),
  ],
  'the mails of an update are kept whether it is made or not': [
    'law 12: an email of an update',
    (store) => ({
      async update(id, changes, version, mails = []) {
        const changed = await store.update(id, changes, version)
        await store.outbox.add(mails)
        return changed
      },
    }),
  ],
  'a claim takes all that are due, if more than one is wanted': [
    'law 4: claim takes at most',
    ({ outbox }) => ({
      outbox: { ...outbox, claim: (at) => outbox.claim({ ...at, limit: at.limit === 1 ? 1 : 100 }) },
    }),
  ],
  'a claim of several takes the shortest due first': [
    'law 4: claim takes at most',
    ({ outbox }) => ({
      outbox: {
        ...outbox,
        async claim(at) {
          if (at.limit !== 2) return outbox.claim(at)
          const due = await outbox.claim({ ...at, limit: 100 })
          const [first, second, ...rest] = due.toSorted((one, other) =>
            `${one.mail.to}`.localeCompare(`${other.mail.to}`),
          )
          for (const entry of rest)
            await outbox.postpone(entry, { dueAt: at.now, tries: entry.tries - 1, error: '' })
          return [first, second].filter((entry) => entry !== undefined)
        },
      },
    }),
  ],
  'an update whose mails cannot be kept is made': [
    'law 14: an email that can’t be kept',
    (store) => ({
      async update(id, changes, version, mails = []) {
        const changed = await store.update(id, changes, version)
        if (changed) await store.outbox.add(mails)
        return changed
      },
    }),
  ],
  'a user whose mails cannot be kept is created': [
    'law 14: an email that can’t be kept',
    (store) => ({
      async create(user, mails = []) {
        const created = await store.create(user)
        await store.outbox.add(mails.map((mail) => ({ ...mail, userId: created.id })))
        return created
      },
    }),
  ],
  'mails are added one by one': [
    'law 14: an email that can’t be kept',
    ({ outbox }) => ({
      outbox: {
        ...outbox,
        async add(mails) {
          for (const mail of mails) await outbox.add([mail])
        },
      },
    }),
  ],
  'mails are forgotten': [
    'law 12: of simultaneous updates',
    (store) => ({ update: (id, changes, version) => store.update(id, changes, version) }),
  ],
}

test.each(Object.entries(sabotages))('%s: the suite tells', async (_, [law, fault]) => {
  await breaksLaws(
    outboxCases(async () => {
      const store = await freshStore()
      return { ...store, ...fault(store) }
    }),
    law,
  )
})

test('the store without a fault breaks none; one without an outbox breaks all', async () => {
  expect(newPendingMail({ to: 'x' })).toMatchObject({ to: 'x', kind: 'password-changed' })
  const silent = (): void => {}
  expect((await runCases(outboxCases(freshStore), silent)).failures).toEqual([])
  const { outbox: _, ...without } = await freshStore()
  const report = await runCases(
    outboxCases(() => without),
    silent,
  )
  expect(report.passed).toBe(0)
})
