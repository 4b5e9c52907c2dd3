import type { User, UserListQuery, UserStore } from 'fastify-accounts'
import type { Laws } from './cases.js'
import { range, same } from './checks.js'
import { countThere, having, newUser } from './users.js'

/** Users that the command `import` hands over at once. */
const imported = 500

/** Users of a page of the list, and one more, which says that there are more. */
const listed = 101

/** Laws about as many users as the plugin takes at once. */
export const userStoreSizeLaws: Laws<UserStore> = {
  [`law 32: createMany keeps ${imported} users at once`]: having('createMany', async (store) => {
    const users = range(imported).map(() => newUser())
    const outcomes = await store.createMany(users)
    same(outcomes.length, imported, 'the number of outcomes')
    for (const index of [0, 1, 99, 100, 255, 256, imported - 1]) {
      const found = await store.findByUsername(users[index]?.usernameKey ?? '')
      const id = found?.id ?? 'of a user who was kept'
      same(outcomes[index], { id }, `the outcome of user ${index}`)
    }
    await countThere(store, imported, 'the number of users')
  }),

  [`law 21: a page has exactly its limit, up to ${listed}, unless the list ends`]: having(
    'list',
    async (store) => {
      const count = 2 * listed + 10
      // Services are among people, in any order.
      for (const _ of range(count / 2))
        await Promise.all((['service', 'person'] as const).map((kind) => store.create(newUser({ kind }))))
      const all: [what: string, query: Omit<UserListQuery, 'limit'>, count: number][] = [
        ['of all users', {}, count],
        ['of services', { where: { kind: 'service' } }, count / 2],
      ]
      for (const [what, query, most] of all) {
        for (const limit of [10, listed]) {
          const lengths: number[] = []
          for (let after: User | undefined; lengths.at(-1) !== 0 && lengths.length < count; ) {
            const page = await store.list({ ...query, limit, ...(after && { after }) })
            lengths.push(page.length)
            after = page.at(-1)
          }
          const full = Math.floor(most / limit)
          const expected = [...range(full).map(() => limit), ...(most % limit ? [most % limit] : []), 0]
          same(lengths, expected, `the lengths of the pages ${what}, with a limit of ${limit}`)
        }
      }
    },
  ),
}
