import { type ImportedUser, type ImportOutcome, InvalidArgumentError, type UserStore } from 'fastify-accounts'
import { raced } from './calls.js'
import { inTurns, type Laws } from './cases.js'
import { check, range, rejects, rounds, same, show } from './checks.js'
import { countThere, having, newUser, onlyThere } from './users.js'

/** An id of another system. A column of type UUID holds no others. */
const oldId = '01234567-89ab-4cde-8f01-23456789abcd'

/** Laws about `createMany`, which a store may omit. */
export const userStoreImportLaws: Laws<UserStore> = {
  'law 32: createMany keeps users unchanged, under their ids or new ones, and returns outcomes in order':
    having('createMany', async (store) => {
      const users = [
        newUser({ fields: { a: [1, null] }, lastLoginAt: new Date(1), sessionEpoch: 3, roles: ['b', 'a'] }),
        newUser({ email: null, emailKey: null, kind: 'unclaimed', origin: 'import' }),
        newUser({ email: null, emailKey: null, isVerified: true, isActive: false, kind: 'service' }),
      ]
      const [first = newUser(), second = newUser(), third = newUser()] = users
      const ids = idsOf(await store.createMany([{ ...first, id: oldId }, second, third]))
      same(ids[0], oldId, 'the id that was brought along')
      same(new Set(ids).size, 3, 'the number of ids')
      const { fields } = first
      first.fields = structuredClone(fields)
      // Arguments are copied.
      fields.a = 'changed later'
      for (const [index, user] of users.entries()) {
        const expected = { ...user, id: ids[index], version: 1 }
        same(await store.findById(ids[index] ?? ''), expected, `findById() of user ${index}`)
        same(
          await store.findByUsername(user.usernameKey ?? ''),
          expected,
          `findByUsername() of user ${index}`,
        )
        if (user.emailKey !== null)
          same(await store.findByEmail(user.emailKey), expected, `findByEmail() of user ${index}`)
      }
      await countThere(store, 3, 'the number of users listed')
      same(await store.createMany([]), [], 'createMany() of nobody')
    }),

  'law 32: createMany skips users whose id or key is taken, says which and whose, and keeps the others':
    having('createMany', async (store) => {
      const [old] = idsOf(await store.createMany([{ ...newUser(), id: oldId }]))
      const holder = await store.findById(old ?? '')
      const other = await store.create(newUser())
      const { usernameKey = '', emailKey = null } = holder ?? {}
      const free = newUser()
      const outcomes = await store.createMany([
        { ...newUser(), id: oldId },
        newUser({ usernameKey }),
        newUser({ emailKey }),
        newUser({ usernameKey, emailKey: other.emailKey }),
        free,
        newUser({ usernameKey: free.usernameKey }),
        newUser({ emailKey: free.emailKey }),
      ])
      same(outcomes.length, 7, 'the number of outcomes')
      const kept = await store.findByUsername(free.usernameKey ?? '')
      check(kept !== null, 'the user with free keys was not kept')
      same(
        outcomes,
        [
          { taken: 'id', holder },
          { taken: 'username', holder },
          { taken: 'email', holder },
          { taken: 'username', holder },
          { id: kept?.id },
          { taken: 'username', holder: kept },
          { taken: 'email', holder: kept },
        ],
        'the outcomes',
      )
      await countThere(store, 3, 'the number of users')
      same(await store.findById(oldId), holder, 'the user who was there')
    }),

  'law 32: createMany keeps nobody if one user is invalid': having('createMany', async (store) => {
    const wrong: ImportedUser[] = [
      newUser({ usernameKey: '' }),
      newUser({ usernameKey: 'a\0' }),
      newUser({ emailKey: 'a\ud800' }),
      { ...newUser(), id: '' },
      { ...newUser(), id: '\0' },
    ]
    for (const user of wrong) {
      await rejects(InvalidArgumentError, () => store.createMany([newUser(), user]), `with ${show(user)}`)
      await onlyThere(store, [], 'the users after it')
    }
  }),

  'law 32: simultaneous imports of the same users keep each user once': having(
    'createMany',
    async (store, second) => {
      const turn = inTurns(store, second)
      const count = await rounds(10, 4, async (callers) => {
        const users = range(3).map(() => newUser())
        const values = await raced(callers.map((n) => () => turn(n).createMany(users)))
        const created = values.flat().filter((each) => 'id' in each)
        same(created.length, 3, 'how many of 3 were created')
      })
      await countThere(store, 3 * count, 'the number of users')
    },
  ),
}

function idsOf(outcomes: readonly ImportOutcome[]): string[] {
  return outcomes.map((outcome) => {
    check('id' in outcome, `a user with free keys was not kept: ${show(outcome)}`)
    return outcome.id
  })
}
