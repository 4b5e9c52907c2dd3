import { createKyselySessionStore, createKyselyUserStore } from '@fastify-accounts/kysely'
import { createRedisSessionStore } from '@fastify-accounts/redis'
import { testAppOn } from '../../packages/accounts/test/support/app.js'
import { connect as connectDatabase, type Place } from '../../packages/kysely/test/support/databases.js'
import { connect as connectRedis } from '../../packages/redis/test/support/redis.js'
import { choice } from './passwords.js'

/** Where the stores of a ground are, and the reset link that is raced for. */
export interface LinkRace {
  place: Place
  prefix?: string | undefined
  link: string
}

/** What became of the uses of one process. */
export interface LinkUses {
  answers: { password: string; statusCode: number }[]
  /** How many mails left from here. */
  mails: number
}

/** An app of its own in each process. Results are plain data. */
export const tasks = {
  async useLink({ place, prefix, link }: LinkRace) {
    const db = connectDatabase(place)
    const redis = prefix === undefined ? null : await connectRedis()
    const users = createKyselyUserStore({ db })
    const sessions = redis ? createRedisSessionStore({ redis, prefix }) : createKyselySessionStore({ db })
    const service = await testAppOn({ users, sessions })
    await users.findById('warm')
    return async (): Promise<LinkUses> => {
      const passwords = Array.from({ length: 10 }, (_, index) => `number ${index} of process ${process.pid}`)
      const answers = passwords.map(async (password) => {
        const { statusCode } = await service.send('POST', link, choice(password))
        return { password, statusCode }
      })
      const done = await Promise.all(answers)
      // Waits for the mails, too.
      await service.app.close()
      await db.destroy()
      redis?.disconnect()
      return { answers: done, mails: service.mails.length }
    }
  },
}
