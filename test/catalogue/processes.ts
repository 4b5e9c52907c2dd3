import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createRedisThrottleStore } from '@fastify-accounts/redis'
import { linkPath, outbox, testAppOn } from '@fastify-accounts/test-support/app'
import { connect as connectRedis } from '@fastify-accounts/test-support/redis/redis'
import { type SharedPlace, storesAt } from '@fastify-accounts/test-support/shared-place'

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
