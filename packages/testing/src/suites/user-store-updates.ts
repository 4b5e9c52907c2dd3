import type { AccountOrigin, UserStore } from 'fastify-accounts'
import { noErrors, raced } from './calls.js'
import { inTurns, type Laws } from './cases.js'
import { race, range, rounds, same, show } from './checks.js'
import { newUser, onlyThere } from './users.js'

/** Laws about compare-and-swap. */
export const userStoreUpdateLaws: Laws<UserStore> = {
  'law 13: update at another version returns null and changes nothing': async (store) => {
    await store.create(newUser({ usernameKey: 'taken' }))
    const user = await store.create(newUser())
    for (const version of [0, 2, -1, 100]) {
      same(
        await store.update(user.id, { passwordHash: 'new' }, version),
        null,
        `update() at version ${version}`,
      )
    }
    // A stale update fails before its keys are checked.
    same(await store.update(user.id, { usernameKey: 'taken' }, 7), null, 'a stale update() to a taken name')
    same(await store.findById(user.id), user, 'the user')
    await store.update(user.id, {}, 1)
    same(
      await store.update(user.id, { passwordHash: 'new' }, 1),
      null,
      'update() at a version that has passed',
    )
    same(await store.findById(user.id), { ...user, version: 2 }, 'the user after an update without changes')
  },

  'law 40: an account keeps the origin that it was created with, whatever an update is given': async (
    store,
    second,
  ) => {
    const origins: readonly AccountOrigin[] = ['self', 'staff', 'host', 'import']
    for (const origin of origins) {
      const user = await store.create(newUser({ origin }))
      for (const other of origins) {
        const { version = 0 } = (await store.findById(user.id)) ?? {}
        // As JavaScript callers write it, with a record that they have read.
        const changes = { isStaff: true, origin: other }
        same((await store.update(user.id, changes, version))?.origin, origin, 'what update() returns')
        for (const each of [store, second])
          same((await each.findById(user.id))?.origin, origin, `the origin after an update to ${other}`)
      }
    }
  },

  'law 14: exactly one of 100 simultaneous updates from one version wins': async (store, second) => {
    const turn = inTurns(store, second)
    const { id } = await store.create(newUser())
    await rounds(100, 5, async (callers, round) => {
      const values = await raced(
        callers.map((n) => () => turn(n).update(id, { passwordHash: `hash ${round} ${n}` }, round + 1)),
      )
      const winners = values.filter((user) => user !== null)
      same(winners.length, 1, 'the number of winners')
      for (const each of [store, second]) same(await each.findById(id), winners[0], 'the user kept')
    })
  },

  'law 14: updates that retry after a conflict lose nothing': async (store, second) => {
    const turn = inTurns(store, second)
    const { id } = await store.create(newUser())
    async function addOne(handle: UserStore): Promise<void> {
      // Ten of these: each round has a winner, so nobody needs more than ten attempts.
      for (const _ of range(100)) {
        const { sessionEpoch = 0, version = 0 } = (await handle.findById(id)) ?? {}
        if (await handle.update(id, { sessionEpoch: sessionEpoch + 1 }, version)) return
      }
    }
    await raced(range(10).map((n) => () => addOne(turn(n))))
    const user = await store.findById(id)
    same([user?.sessionEpoch, user?.version], [10, 11], 'epoch and version after ten additions')
  },

  'law 15: updating a deleted user returns null and brings nobody back': async (store) => {
    const user = await store.create(newUser())
    await store.delete(user.id)
    same(await store.update(user.id, { isStaff: true }, 1), null, 'update()')
    same(await store.findById(user.id), null, 'findById()')
    same(await store.findByUsername(user.usernameKey ?? ''), null, 'findByUsername()')
    await onlyThere(store, [], 'list()')
  },

  'law 15: a deletion stands, whatever updates run at the same time': async (store, second) => {
    const turn = inTurns(store, second)
    await rounds(10, 4, async (callers, round) => {
      const user = await store.create(newUser())
      // Half of them change the username: stale rows of keys, in stores that have them, must not remain.
      const moved = { usernameKey: `moved-${round}`, emailKey: `moved-${round}@example.org` }
      const updates = callers.map(
        (n) => () => turn(n >> 1).update(user.id, n % 2 ? moved : { isStaff: true }, 1),
      )
      const [{ errors }, went] = await Promise.all([race(updates), turn(round).delete(user.id)])
      noErrors(errors)
      same(went, true, 'delete()')
      for (const each of [store, second]) same(await each.findById(user.id), null, 'findById()')
      for (const { usernameKey, emailKey } of [user, moved]) {
        same(await store.findByUsername(usernameKey ?? ''), null, `findByUsername(${show(usernameKey)})`)
        same(await store.findByEmail(emailKey ?? ''), null, `findByEmail(${show(emailKey)})`)
        await second.create(newUser({ usernameKey, emailKey }))
      }
    })
  },
}
