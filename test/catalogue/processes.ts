import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createKyselySessionStore, createKyselyUserStore } from '@fastify-accounts/kysely'
import { createRedisSessionStore, createRedisThrottleStore } from '@fastify-accounts/redis'
import { linkPath, outbox, testAppOn } from '@fastify-accounts/test-support/app'
import { connect as connectDatabase, type Place } from '@fastify-accounts/test-support/databases'
import type { Stores } from '@fastify-accounts/test-support/grounds'
import { connect as connectRedis } from '@fastify-accounts/test-support/redis/redis'

/** What another process needs to know about a ground. */
export type SharedPlace = Required<Pick<Stores, 'place'>> & Pick<Stores, 'prefix'>

/** Runs in another process; see race-processes.ts in packages/test-support. */
export const tasks = {
  /**
   * Serves on the stores of a ground until the process ends, and returns the port. `GET /mailed/:kind` returns the path
   * of the link in the last email.
   */
  async serve({ place, prefix }: SharedPlace) {
    const mailer = outbox()
    const { app } = await testAppOn(
      await storesAt(place, prefix),
      {
        mailer,
        adapterTimeout: 60_000,
        throttle: prefix
          ? { store: createRedisThrottleStore({ redis: await connectRedis(), prefix }) }
          : false,
      },
      {
        before: (host) =>
          host.get<{ Params: { kind: string } }>('/mailed/:kind', ({ params: { kind } }) => {
            const mail = mailer.mails.findLast((each) => each.kind === kind)
            return { path: mail ? linkPath(mail) : null }
          }),
      },
    )
    return async () => {
      app.server.listen(0, '127.0.0.1')
      await once(app.server, 'listening')
      return (app.server.address() as AddressInfo).port
    }
  },
}

export async function storesAt(place: Place, prefix: string | undefined) {
  const db = await connectDatabase(place)
  return {
    // Without an outbox, each process delivers the emails it posts, so `/mailed` finds them.
    users: { ...createKyselyUserStore({ db }), outbox: undefined },
    sessions: prefix
      ? createRedisSessionStore({ redis: await connectRedis(), prefix })
      : createKyselySessionStore({ db }),
    /** Ends its connections: a server has no more than a hundred for all tests. */
    disconnect: () => db.destroy(),
  }
}
