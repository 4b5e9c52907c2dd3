import { InvalidArgumentError } from '../seams/store-errors.js'
import type { UserStore } from '../seams/user-store.js'
import type { User } from '../user.js'
import type { Laws } from './cases.js'
import { check, race, range, same, show } from './checks.js'
import { createUsers, listAll, newUser } from './users.js'

/** Laws about the list. */
export const userStoreListLaws: Laws<UserStore> = {
  'law 21: the list is in the order of creation time, then id, and never returns more than asked for': async (
    store,
  ) => {
    // Groups of three share a time, and are created out of order.
    const users = await createUsers(store, 30, (index) => ({ createdAt: time((index * 7) % 10) }))
    const all = await store.list({ limit: 100 })
    same(ids(all).sort(), ids(users).sort(), 'the ids listed')
    const times = all.map((user) => user.createdAt.getTime())
    same(
      times,
      times.toSorted((a, b) => a - b),
      'the times listed',
    )
    same(ids(await store.list({ limit: 100 })), ids(all), 'the order at a second look')
    same(ids(await store.list({ limit: 7 })), ids(all).slice(0, 7), 'the first page')
    for (const index of range(all.length)) {
      const page = await store.list({ limit: 4, after: all[index] })
      same(ids(page), ids(all).slice(index + 1, index + 5), `the page behind place ${index}`)
    }
  },

  'law 21: pages of one, and of users who share one time, miss and repeat nobody': async (store) => {
    const users = await createUsers(store, 12)
    same(ids(await listAll(store, 1)).sort(), ids(users).sort(), 'the ids in pages of one')
    same(ids(await listAll(store, 5)), ids(await listAll(store, 12)), 'the ids in pages of five')
  },

  'law 22: a place is good after its user is gone': async (store) => {
    const users = await createUsers(store, 6)
    const all = await store.list({ limit: 10 })
    same(all.length, users.length, 'the number of users')
    for (const index of [2, 0, 5]) await store.delete(`${all[index]?.id}`)
    same(ids(await store.list({ limit: 10, after: all[2] })), ids([all[3], all[4]]), 'behind the third')
    same(
      ids(await store.list({ limit: 10, after: all[0] })),
      ids([all[1], all[3], all[4]]),
      'behind the first',
    )
    same(ids(await store.list({ limit: 10, after: all[5] })), [], 'the ids behind the last')
  },

  'law 22: under inserts and deletions everyone who was there throughout is listed exactly once': async (
    store,
  ) => {
    const stayers = await createUsers(store, 40, (index) => ({ createdAt: time(index % 8) }))
    const leavers = await createUsers(store, 40, (index) => ({ createdAt: time(index % 8) }))
    let turn = 0
    const listed = await listAll(store, 7, async () => {
      turn += 1
      // Endless growth at the end would be listed for ever.
      const arrivals = turn <= 10 ? range(4) : []
      const { errors } = await race<unknown>([
        ...arrivals.map((index) => () => store.create(newUser({ createdAt: time(index * 3) }))),
        ...leavers.splice(0, 4).map(
          ({ id }) =>
            () =>
              store.delete(id),
        ),
      ])
      same(errors, [], 'the errors')
    })
    const found = new Set(ids(listed))
    for (const { id } of stayers) check(found.has(id), 'one who stayed is missing')
    same(found.size, listed.length, 'the number of different users listed')
  },

  'law 21: a made-up place is answered or refused as an argument': async (store) => {
    const [user] = await createUsers(store, 1)
    const places = [
      { createdAt: time(-1), id: '%' },
      { createdAt: time(0), id: "'" },
      { createdAt: time(1), id: `${user?.id}x` },
    ]
    for (const after of places) {
      const { values, errors } = await race([() => store.list({ limit: 10, after })])
      for (const page of values) check(Array.isArray(page), `list() returned ${show(page)}`)
      for (const error of errors) check(error instanceof InvalidArgumentError, `list() threw ${show(error)}`)
    }
  },

  'law 24: a prefix leaves those whose name or address begins with it, in the order of the list': async (
    store,
  ) => {
    const keys = ['ada', 'adam', 'bada', 'ad%', 'ad_m', 'ädam', 'ad', 'a\\d', 'bob', 'ad😀m']
    const users = await createUsers(store, 10, (index) => ({
      createdAt: time((index * 7) % 10),
      usernameKey: `${keys[index]}`,
      emailKey: index === 3 ? null : `${keys[9 - index]}@example.org`,
      ...(index === 3 && { email: null }),
    }))
    for (const usernameKey of ['ad', 'ada', 'ad%', 'ad_', 'a', 'AD', 'a\\', 'ad😀', 'nobody', 'bob', 'd']) {
      for (const emailKey of [undefined, usernameKey, 'bada@', 'ad_m@example.org', '%']) {
        const prefix = { usernameKey, emailKey }
        const expected = (await store.list({ limit: 20 })).filter(
          (user) =>
            user.usernameKey.startsWith(usernameKey) ||
            (emailKey !== undefined && user.emailKey?.startsWith(emailKey)),
        )
        const found = await store.list({ limit: 20, prefix })
        same(ids(found), ids(expected), `the ids for ${show(prefix)}`)
        const [first] = found
        const page = await store.list({ limit: 2, prefix, after: first })
        same(
          ids(page),
          first ? ids(expected).slice(1, 3) : ids(expected).slice(0, 2),
          'the page behind the first',
        )
      }
    }
    same(users.length, 10, 'the number of users')
  },

  'law 23: the list of an empty store is empty': async (store) => {
    same(await store.list({ limit: 10 }), [], 'list()')
    same(
      await store.list({ limit: 10, after: { createdAt: time(0), id: 'nobody' } }),
      [],
      'list() behind a place',
    )
  },
}

function time(seconds: number): Date {
  return new Date(Date.UTC(2026, 0, 1, 12, 0, seconds, 123))
}

function ids(users: (User | undefined)[]): (string | undefined)[] {
  return users.map((user) => user?.id)
}
