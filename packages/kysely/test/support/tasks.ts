import { createKyselySessionStore, createKyselyUserStore, migrate } from '@fastify-accounts/kysely'
import { connect, type Place } from '@fastify-accounts/test-support/databases'
import { DuplicateError } from 'fastify-accounts'
import { newSession, newUser } from './users.js'

/** How many rounds each process races. */
export const rounds = 30

/**
 * A process's part in a race: it prepares, then returns the function to run at the signal. Results are plain data:
 * the rounds that this process won.
 */
export const tasks = {
  async migrate(place: Place) {
    const db = await connect(place)
    return async () => {
      try {
        return await migrate(db)
      } finally {
        await db.destroy()
      }
    }
  },

  async create(place: Place) {
    const store = createKyselyUserStore({ db: await connect(place), destroyOnClose: true })
    await store.findById('warm')
    return () =>
      wonRounds(store, async (round) => {
        try {
          await store.create(newUser(`user-${round}`))
          return true
        } catch (error) {
          if (error instanceof DuplicateError && error.field === 'username') return false
          throw error
        }
      })
  },

  async takeAddress(place: Place) {
    const store = createKyselyUserStore({ db: await connect(place), destroyOnClose: true })
    await store.findById('warm')
    return () =>
      wonRounds(store, async (round) => {
        const emailKey = `user-${round}@example.com`
        try {
          await store.create(newUser(`${process.pid}-${round}`, { email: emailKey, emailKey }))
          return true
        } catch (error) {
          if (error instanceof DuplicateError && error.field === 'email') return false
          throw error
        }
      })
  },

  async deleteUsers(place: Place) {
    const store = createKyselyUserStore({ db: await connect(place), destroyOnClose: true })
    const users = await store.list({ limit: rounds })
    return () => wonRounds(store, async (round) => store.delete(users[round - 1]?.id ?? 'nobody'))
  },

  async compareAndSet(place: Place) {
    const store = createKyselyUserStore({ db: await connect(place), destroyOnClose: true })
    const [user] = await store.list({ limit: 1 })
    if (!user) throw new Error('create a user first')
    return () =>
      wonRounds(store, async (round) => (await store.update(user.id, { resetEpoch: round }, round)) !== null)
  },

  async changeSession(place: Place) {
    const store = createKyselySessionStore({ db: await connect(place), destroyOnClose: true })
    await store.find('warm')
    const session = newSession('s1')
    return () =>
      wonRounds(store, (round) =>
        store.change('s1', { ...session, generation: round - 1 }, { generation: round }),
      )
  },

  async endSession(place: Place) {
    const store = createKyselySessionStore({ db: await connect(place), destroyOnClose: true })
    await store.find('warm')
    const { lastSeenAt, expiresAt } = newSession('any')
    return () =>
      wonRounds(store, async (round) => {
        await store.touch(`session-${round}`, { lastSeenAt, expiresAt })
        const ended = await store.delete(`session-${round}`)
        await store.touch(`session-${round}`, { lastSeenAt, expiresAt })
        return ended
      })
  },
}

/** Returns the rounds, from 1 on, in which `attempt` succeeded; then closes the store. */
async function wonRounds(
  store: { close?(): Promise<void> },
  attempt: (round: number) => Promise<boolean>,
): Promise<number[]> {
  const won: number[] = []
  try {
    for (let round = 1; round <= rounds; round++) if (await attempt(round)) won.push(round)
  } finally {
    await store.close?.()
  }
  return won
}
