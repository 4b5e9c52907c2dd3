import { InvalidArgumentError, type UserStore } from 'fastify-accounts'
import { raced } from './calls.js'
import { type Laws, notChecked } from './cases.js'
import { check, race, range, same, show } from './checks.js'
import { ids, ordersOf, time, told } from './user-store-orders.js'
import { createUsers, having, listAll, newUser } from './users.js'

/** Laws about the list, which a store may omit. Each only applies as far as `listsBy` declares. */
export const userStoreListLaws: Laws<UserStore> = {
  'law 21: the list is in one order, and never longer than its limit': having('list', async (store) => {
    // Groups of three share a time, and are created out of order.
    const users = await createUsers(store, 30, (index) => ({ createdAt: time((index * 7) % 10) }))
    for (const order of ordersOf(store)) {
      const all = await store.list({ limit: 100, order })
      same(ids(all).sort(), ids(users).sort(), `the ids listed ${told(order)}`)
      same(
        ids(await store.list({ limit: 100, order })),
        ids(all),
        `the order at a second look, ${told(order)}`,
      )
      same(ids(await store.list({ limit: 7, order })), ids(all).slice(0, 7), `the first page ${told(order)}`)
      for (const index of range(all.length)) {
        const page = await store.list({ limit: 4, after: all[index], order })
        same(
          ids(page),
          ids(all).slice(index + 1, index + 5),
          `the page behind place ${index}, ${told(order)}`,
        )
      }
    }
  }),

  'law 21: an order is by creation time and id, or by username, and can be reversed': having(
    'list',
    async (store) => {
      await createUsers(store, 20, (index) => ({
        createdAt: time((index * 7) % 5),
        usernameKey: `name-${String((index * 13) % 20).padStart(2, '0')}`,
      }))
      const declared = (['createdAt', 'usernameKey'] as const).filter((by) => store.listsBy?.includes(by))
      if (declared.length === 0) notChecked('a list by createdAt or usernameKey')
      for (const by of declared) {
        const all = await listAll(store, 6, { order: { by } })
        const values = all.map((user) => (by === 'createdAt' ? user.createdAt.getTime() : user.usernameKey))
        const sorted = values.toSorted((a, b) => (a === b ? 0 : (a ?? 0) < (b ?? 0) ? -1 : 1))
        same(values, sorted, `what is listed by ${by}`)
        const backwards = await listAll(store, 6, { order: { by, descending: true } })
        same(ids(backwards), ids(all).reverse(), `the ids listed backwards by ${by}`)
      }
    },
  ),

  'law 21: pages of one, and users with equal times, are listed without gaps or repeats': having(
    'list',
    async (store) => {
      const users = await createUsers(store, 12)
      for (const order of ordersOf(store)) {
        const query = { order }
        same(
          ids(await listAll(store, 1, query)).sort(),
          ids(users).sort(),
          `the ids in pages of one, ${told(order)}`,
        )
        same(
          ids(await listAll(store, 5, query)),
          ids(await listAll(store, 12, query)),
          `the ids in pages of five, ${told(order)}`,
        )
      }
    },
  ),

  'law 22: a position stays valid after its user is deleted': having('list', async (store) => {
    for (const order of ordersOf(store)) {
      const users = await createUsers(store, 6)
      const all = await store.list({ limit: 10, order })
      same(all.length, users.length, 'the number of users')
      for (const index of [2, 0, 5]) await store.delete(`${all[index]?.id}`)
      const behind = async (index: number) => ids(await store.list({ limit: 10, after: all[index], order }))
      same(await behind(2), ids([all[3], all[4]]), `behind the third, ${told(order)}`)
      same(await behind(0), ids([all[1], all[3], all[4]]), `behind the first, ${told(order)}`)
      same(await behind(5), [], `the ids behind the last, ${told(order)}`)
      for (const { id } of users) await store.delete(id)
    }
  }),

  'law 22: under inserts, deletions and changes, everyone who stays is listed exactly once': having(
    'list',
    async (store) => {
      for (const order of ordersOf(store)) {
        const stayers = await createUsers(store, 40, (index) => ({ createdAt: time(index % 8) }))
        const leavers = await createUsers(store, 40, (index) => ({ createdAt: time(index % 8) }))
        const changing = stayers.slice()
        let turn = 0
        const listed = await listAll(store, 7, { order }, async () => {
          turn += 1
          // Endless growth at the end would be listed forever.
          const arrivals = turn <= 10 ? range(4) : []
          await raced<unknown>([
            ...arrivals.map((index) => () => store.create(newUser({ createdAt: time(index * 3) }))),
            ...leavers.splice(0, 4).map(
              ({ id }) =>
                () =>
                  store.delete(id),
            ),
            ...changing.splice(0, 4).map(
              ({ id }) =>
                () =>
                  store.update(id, { isStaff: true, lastLoginAt: time(turn) }, 1),
            ),
          ])
        })
        const found = new Set(ids(listed))
        for (const { id } of stayers) check(found.has(id), `one who stayed is missing, ${told(order)}`)
        same(found.size, listed.length, `the number of different users listed, ${told(order)}`)
        for (const { id } of await listAll(store, 50)) await store.delete(id)
      }
    },
  ),

  'law 21: a made-up position returns a page, or is rejected as an argument': having(
    'list',
    async (store) => {
      const [user] = await createUsers(store, 1)
      const places = [
        { createdAt: time(-1), id: '%', usernameKey: '%' },
        { createdAt: time(0), id: "'", usernameKey: "'" },
        { createdAt: time(1), id: `${user?.id}x`, usernameKey: 'x' },
      ]
      for (const order of ordersOf(store)) {
        for (const after of places) {
          const { values, errors } = await race([() => store.list({ limit: 10, after, order })])
          for (const page of values) check(Array.isArray(page), `list() returned ${show(page)}`)
          for (const error of errors) {
            check(error instanceof InvalidArgumentError, `list() threw ${show(error)}`)
          }
        }
      }
    },
  ),

  'law 23: the list of an empty store is empty': having('list', async (store) => {
    same(await store.list({ limit: 10 }), [], 'list()')
    const after = { createdAt: time(0), id: 'nobody', usernameKey: 'nobody' }
    for (const order of ordersOf(store)) {
      same(await store.list({ limit: 10, after, order }), [], `list() behind a place, ${told(order)}`)
    }
  }),
}
