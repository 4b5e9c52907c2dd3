import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createKyselySessionStore, createKyselyUserStore } from '@fastify-accounts/kysely'
import { goodPassword, testAppOn } from '@fastify-accounts/test-support/app'
import { connect, type Place } from '@fastify-accounts/test-support/databases'

/** More would exceed the hasher's queue and get a 503. */
const atOnce = 5

export const tasks = {
  /** Serves, with a mail server that accepts connections and never responds, until killed; returns its port. */
  async hang({ place }: { place: Place }) {
    const db = await connect(place)
    const userStore = createKyselyUserStore({ db })
    const { app } = await testAppOn(
      { users: userStore, sessions: createKyselySessionStore({ db, userStore }) },
      { requireEmailConfirmation: true, mailer: { send: () => new Promise(() => {}) } },
    )
    return async () => {
      app.server.listen(0, '127.0.0.1')
      await once(app.server, 'listening')
      return (app.server.address() as AddressInfo).port
    }
  },

  /** Signs up `count` users, several at once, until no email waits; returns the addresses this process emailed. */
  async signUp({ place, count }: { place: Place; count: number }) {
    const db = await connect(place)
    const users = createKyselyUserStore({ db })
    const mailed: string[] = []
    const { app, send } = await testAppOn(
      { users, sessions: createKyselySessionStore({ db }) },
      {
        requireEmailConfirmation: true,
        mailer: {
          async send({ to }) {
            await sleep(5)
            mailed.push(to.address)
          },
        },
      },
    )
    return async () => {
      for (let first = 0; first < count; first += atOnce) {
        const responses = await Promise.all(
          Array.from({ length: atOnce }, (_, n) => {
            const username = `user-${process.pid}-${first + n}`
            const body = { username, password: goodPassword, confirm_password: goodPassword }
            return send('POST', '/signup/', { ...body, email: `${username}@example.org` })
          }),
        )
        const refused = responses.find(({ statusCode }) => statusCode !== 202)
        if (refused !== undefined) throw new Error(refused.body)
      }
      while (((await users.outbox?.count())?.waiting ?? 0) > 0) await sleep(50)
      await app.close()
      await db.destroy()
      return mailed
    }
  },
}
