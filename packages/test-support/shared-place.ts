import { createKyselySessionStore, createKyselyUserStore } from '@fastify-accounts/kysely'
import { createRedisSessionStore } from '@fastify-accounts/redis'
import { connect as connectDatabase, type Place } from './databases.js'
import type { Stores } from './grounds.js'
import { connect as connectRedis } from './redis/redis.js'

/** What another process needs to know about a ground. */
export type SharedPlace = Required<Pick<Stores, 'place'>> & Pick<Stores, 'prefix'>

export async function storesAt(place: Place, prefix: string | undefined) {
  const db = await connectDatabase(place)
  return {
    // Without an outbox, each process delivers the emails it posts.
    users: { ...createKyselyUserStore({ db }), outbox: undefined },
    sessions: prefix
      ? createRedisSessionStore({ redis: await connectRedis(), prefix })
      : createKyselySessionStore({ db }),
    /** Ends its connections: a server has no more than a hundred for all tests. */
    disconnect: () => db.destroy(),
  }
}
