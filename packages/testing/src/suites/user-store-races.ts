import type { DuplicateError, NewUser, StoredUser, UserChanges, UserStore } from 'fastify-accounts'
import { noErrors } from './calls.js'
import { inTurns, type Laws } from './cases.js'
import { check, pause, race, rounds, same } from './checks.js'
import { onlyDuplicates } from './user-store-keys.js'
import { createUsers, having, newUser } from './users.js'

/**
 * Milliseconds that one of two calls begins after the other. Each pair is alone: where many race, those that are early
 * hide what a late one does between its read and its write.
 */
const delays = [0, 1, 2, 3, 4, 6, 8]

/** Laws about two calls that overlap. */
export const userStoreRaceLaws: Laws<UserStore> = {
  'law 3: of two who take a username at once, by whatever calls, one gets it': async (store, second) =>
    oneTakesIt('username', store, second),

  'law 3: of two who take an address at once, by whatever calls, one gets it': async (store, second) =>
    oneTakesIt('email', store, second),

  'law 3: of two who take an identity at once, by whatever calls, one gets it': having(
    'findByIdentity',
    async (store, second) => oneTakesIt('identity', store, second),
  ),

  'law 3: exactly one of 20 users who take a free key simultaneously gets it': async (store, second) => {
    const turn = inTurns(store, second)
    const users = await createUsers(store, 20)
    for (const field of fieldsOf(store))
      await rounds(20, 5, async (callers, round) => {
        const { values, errors } = await race(
          callers.map((n) => async () => {
            const { id = '', version = 0 } = users[n] ?? {}
            return turn(n).update(id, keyOf(field, `many-${round}`), version)
          }),
        )
        onlyDuplicates(errors, field)
        const [winner, ...others] = values
        check(winner && others.length === 0, `the number of winners is ${values.length} instead of 1`)
        for (const each of [store, second])
          same(await holderOf(each, field, `many-${round}`), winner, `the holder of one ${field}`)
        users[users.findIndex(({ id }) => id === winner.id)] = winner
      })
  },

  'law 14: of two updates from one version, one wins, and nothing of the other is kept': async (
    store,
    second,
  ) => {
    const turn = inTurns(store, second)
    let round = 0
    for (const [name, changesOf] of Object.entries(kindsOfChange(store)))
      for (const delay of delays) {
        round += 1
        const what = `of two updates of ${name}, ${delay} ms apart`
        const user = await store.create(newUser())
        const changes = [changesOf(`${round}-a`), changesOf(`${round}-b`)] as const
        const { values, errors } = await apart(
          changes.map((each, n) => () => turn(round + n).update(user.id, each, 1)),
          delay,
        )
        noErrors(errors)
        const winners = values.filter((value) => value !== null)
        same(winners.length, 1, `the number of winners ${what}`)
        const [lost, won] = values[0] === null ? changes : changes.toReversed()
        const kept = { ...user, ...won, version: 2 }
        same(winners[0], kept, `what the winner ${what} returned`)
        for (const each of new Set([store, second])) {
          same(await each.findById(user.id), kept, `the user, ${what}`)
          await areHeldBy(each, won, user.id, `a key, ${what}`)
          await areHeldBy(each, lost, undefined, `a key of the loser, ${what}`)
        }
      }
  },

  'law 15: a deletion stands, whatever update has begun before': async (store, second) => {
    const turn = inTurns(store, second)
    let round = 0
    for (const [name, changesOf] of Object.entries(kindsOfChange(store)))
      for (const delay of delays) {
        round += 1
        const what = `deleted ${delay} ms after an update of ${name} has begun`
        const before = changesOf(`${round}-old`)
        const user = await store.create(newUser(before))
        const changes = changesOf(`${round}-new`)
        const { errors } = await apart<unknown>(
          [
            () => turn(round).update(user.id, changes, 1),
            async () => same(await turn(round + 1).delete(user.id), true, `delete(), ${what}`),
          ],
          delay,
        )
        noErrors(errors)
        for (const each of new Set([store, second])) {
          same(await each.findById(user.id), null, `findById() of a user ${what}`)
          for (const keys of [user, changes]) await areHeldBy(each, keys, undefined, `a key of one ${what}`)
        }
        // Nothing of it keeps a key taken: some stores have rows of keys.
        const { username, usernameKey, email, emailKey, identityKeys } = user
        await second.create(newUser({ username, usernameKey, email, emailKey, identityKeys }))
        await second.create(newUser(changes))
      }
  },
}

/** Begins the second call so much later. Returns the values of both in order, and the errors. */
async function apart<T>(
  calls: (() => Promise<T>)[],
  delay: number,
): Promise<{ values: T[]; errors: unknown[] }> {
  return race(
    calls.map((call, n) => async () => {
      if (n > 0 && delay > 0) await pause(delay)
      return call()
    }),
  )
}

async function oneTakesIt(
  field: DuplicateError['field'],
  store: UserStore,
  second: UserStore,
): Promise<void> {
  const turn = inTurns(store, second)
  const calls = Object.entries(waysToTake).filter(([name]) => name !== 'createMany' || store.createMany)
  let round = 0
  for (const [one, takeByOne] of calls)
    for (const [other, takeByOther] of calls)
      for (const delay of [0, 1, 2, 4, 8]) {
        round += 1
        const what = `${field} by ${one}() and, ${delay} ms later, ${other}()`
        const key = keyOf(field, `key-${round}`)
        const takes = [await takeByOne(turn(round), key), await takeByOther(turn(round + 1), key)]
        const { values, errors } = await apart(takes, delay)
        onlyDuplicates(errors, field, `, for a ${what}`)
        const winners = values.filter((id) => id !== null)
        same(winners.length, 1, `the number of winners, for a ${what}`)
        for (const each of [store, second])
          same((await holderOf(each, field, `key-${round}`))?.id, winners[0], `the holder of a ${what}`)
      }
}

type Key = Partial<Pick<NewUser, 'usernameKey' | 'emailKey' | 'identityKeys'>>

/** Prepares a call that takes the key, and returns the id of who has got it, or `null`. */
const waysToTake: Record<string, (store: UserStore, key: Key) => Promise<() => Promise<string | null>>> = {
  create: async (store, key) => async () => (await store.create(newUser(key))).id,
  update: async (store, key) => {
    const { id } = await store.create(newUser())
    return async () => (await store.update(id, key, 1))?.id ?? null
  },
  createMany: async (store, key) => async () => {
    const [outcome] = (await store.createMany?.([newUser(key)])) ?? []
    check(outcome, 'createMany() returned no outcome')
    return 'id' in outcome ? outcome.id : null
  },
}

/** The keys that no two users of this store may share. */
function fieldsOf(store: UserStore): DuplicateError['field'][] {
  return ['username', 'email', ...(store.findByIdentity ? (['identity'] as const) : [])]
}

function keyOf(field: DuplicateError['field'], text: string): Key {
  if (field === 'username') return { usernameKey: text }
  return field === 'email' ? { emailKey: text } : { identityKeys: [text] }
}

async function holderOf(
  store: UserStore,
  field: string,
  key: string,
): Promise<StoredUser | null | undefined> {
  if (field === 'username') return store.findByUsername(key)
  return field === 'email' ? store.findByEmail(key) : store.findByIdentity?.(key)
}

async function areHeldBy(store: UserStore, keys: UserChanges, id: string | undefined, what: string) {
  const { usernameKey, emailKey, identityKeys = [] } = keys
  if (usernameKey) same((await store.findByUsername(usernameKey))?.id, id, `the holder of ${what}`)
  if (emailKey) same((await store.findByEmail(emailKey))?.id, id, `the holder of ${what}`)
  for (const key of identityKeys) same((await store.findByIdentity?.(key))?.id, id, `the holder of ${what}`)
}

/** Changes that a store may write in different places. */
function kindsOfChange(store: UserStore): Record<string, (text: string) => Partial<NewUser>> {
  return {
    'a hash': (text) => ({ passwordHash: text }),
    'a username': (text) => ({ username: text, usernameKey: text }),
    'an address': (text) => ({ email: `${text}@example.org`, emailKey: `${text}@example.org` }),
    credentials: (text) => ({ credentials: [{ kind: 'totp', text }], factors: ['totp'] }),
    ...(store.findByIdentity && { identities: (text) => ({ identityKeys: [text, `${text}, too`] }) }),
  }
}
