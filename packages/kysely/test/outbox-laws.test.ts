import { createKyselyUserStore, migrate, sqliteDialect } from '@fastify-accounts/kysely'
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

/** Stores with one fault each, and the law that must detect it. */
const sabotages: Record<string, [law: string, fault: (store: Store) => Partial<UserStore>]> = {
  'add drops the language': [
    'law 1: an email is claimed exactly',
    ({ outbox }) => ({
      outbox: { ...outbox, add: (mails) => outbox.add(mails.map((mail) => ({ ...mail, device: null }))) },
    }),
  ],
  'only the first of several is stored': [
    'law 2:',
    ({ outbox }) => ({ outbox: { ...outbox, add: (mails) => outbox.add(mails.slice(0, 1)) } }),
  ],
  "a claim doesn't exclude other claims": [
    'law 3: a claimed email',
    ({ outbox }) => ({ outbox: { ...outbox, claim: (at) => outbox.claim({ ...at, until: at.now }) } }),
  ],
  "a claim can't be renewed": [
    'law 3: a renewed claim',
    ({ outbox }) => ({ outbox: { ...outbox, renew: async () => true } }),
  ],
  'a renewal counts as an attempt': [
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
              attempts: entry.attempts + Number(renewed.has(entry.id)),
            })),
        },
      }
    },
  ],
  'two simultaneous claims get the same emails': [
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
  'a claim exceeds its limit': [
    'law 4: claim takes at most',
    ({ outbox }) => ({
      outbox: { ...outbox, claim: (at) => outbox.claim({ ...at, limit: at.limit && at.limit + 10 }) },
    }),
  ],
  'realms are not separate': [
    'law 4: claim takes emails of the given realm',
    ({ outbox }) => ({
      outbox: {
        ...outbox,
        add: (mails) => outbox.add(mails.map((mail) => ({ ...mail, realm: 'accounts' }))),
        claim: (at) => outbox.claim({ ...at, realm: 'accounts' }),
      },
    }),
  ],
  'postponing ignores the attempt count': [
    'law 5:',
    ({ outbox }) => ({
      outbox: { ...outbox, postpone: (entry, then) => outbox.postpone(entry, { ...then, attempts: 5 }) },
    }),
  ],
  'a new email counts as due since ever': [
    'law 5: oldestDue',
    ({ outbox }) => ({
      outbox: { ...outbox, oldestDue: async () => ((await outbox.oldestDue?.()) ? new Date(0) : null) },
    }),
  ],
  'the latest email counts as the one due longest': [
    'law 5: oldestDue',
    ({ outbox }) => {
      let latest: Date | null = null
      return {
        outbox: {
          ...outbox,
          async oldestDue() {
            const found = (await outbox.oldestDue?.()) ?? null
            if (found !== null && (latest === null || found > latest)) latest = found
            return found && latest
          },
        },
      }
    },
  ],
  'a stale claim still works': [
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
  'a dead letter is retried': [
    'law 7: a dead letter is not claimed',
    ({ outbox }) => ({
      outbox: {
        ...outbox,
        postpone: (entry, then) => outbox.postpone(entry, { ...then, dueAt: then.dueAt ?? new Date(0) }),
      },
    }),
  ],
  'a long error is rejected': [
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
  'every page starts from the beginning': [
    'law 8:',
    ({ outbox }) => ({ outbox: { ...outbox, listDead: ({ limit }) => outbox.listDead({ limit }) } }),
  ],
  'retry succeeds for an unknown id': [
    'law 9:',
    ({ outbox }) => ({
      outbox: { ...outbox, retry: async (id, now) => (await outbox.retry(id, now)) || id !== 'nobody' },
    }),
  ],
  "emails are stored without the user's id": [
    'law 11: an email of a creation',
    (store) => ({
      async create(user, mails = []) {
        const created = await store.create(user)
        await store.outbox.add(mails)
        return created
      },
    }),
  ],
  'the emails of a creation are written first': [
    'law 11: a rejected creation',
    (store) => ({
      async create(user, mails = []) {
        await store.outbox.add(mails)
        return store.create(user)
      },
    }),
  ],
  'the emails of an update are stored even if the update fails': [
    'law 12: an email of an update',
    (store) => ({
      async update(id, changes, version, mails = []) {
        const changed = await store.update(id, changes, version)
        await store.outbox.add(mails)
        return changed
      },
    }),
  ],
  'a claim with a limit above one takes everything due': [
    'law 4: claim takes at most',
    ({ outbox }) => ({
      outbox: { ...outbox, claim: (at) => outbox.claim({ ...at, limit: at.limit === 1 ? 1 : 100 }) },
    }),
  ],
  'a claim of several ignores the due times': [
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
            await outbox.postpone(entry, { dueAt: at.now, attempts: entry.attempts - 1, error: '' })
          return [first, second].filter((entry) => entry !== undefined)
        },
      },
    }),
  ],
  "an update whose emails can't be stored is made anyway": [
    'law 14: an email that can’t be kept',
    (store) => ({
      async update(id, changes, version, mails = []) {
        const changed = await store.update(id, changes, version)
        if (changed) await store.outbox.add(mails)
        return changed
      },
    }),
  ],
  "a user whose emails can't be stored is created anyway": [
    'law 14: an email that can’t be kept',
    (store) => ({
      async create(user, mails = []) {
        const created = await store.create(user)
        await store.outbox.add(mails.map((mail) => ({ ...mail, userId: created.id })))
        return created
      },
    }),
  ],
  'emails are added one by one': [
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
  'emails are dropped': [
    'law 12: of simultaneous updates',
    (store) => ({ update: (id, changes, version) => store.update(id, changes, version) }),
  ],
}

test.each(Object.entries(sabotages))('%s: the suite detects it', async (_, [law, fault]) => {
  await breaksLaws(
    outboxCases(async () => {
      const store = await freshStore()
      return { ...store, ...fault(store) }
    }),
    law,
  )
})

test('a correct store passes every law; one without an outbox fails all of them', async () => {
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
