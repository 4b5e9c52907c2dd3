import '@fastify-accounts/test-support/prompt-postman'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { outbox, testAppOn } from '@fastify-accounts/test-support/app'
import { type SharedPlace, storesAt } from '@fastify-accounts/test-support/shared-place'
import type { TokensOptions } from 'fastify-accounts'
import { countNotices, host, type Owner, optionsWith } from './service.js'

/** @property time by which all clocks begin */
export interface Errand extends SharedPlace {
  tokens?: TokensOptions
  time: number
}

/** For race-processes.ts in packages/test-support. */
export const tasks = {
  /** Serves on the stores of a ground until the process ends, and returns the port. */
  async serve({ place, prefix, tokens, time }: Errand) {
    const advance = holdClocks(time)
    const stores = await storesAt(place, prefix)
    if (stores.sessions.now) stores.sessions.now = async () => new Date()
    const mailer = outbox()
    const { app, settle } = await testAppOn(
      stores,
      { ...optionsWith(tokens), mailer },
      {
        before(app) {
          host.before(app)
          app.post<{ Body: Owner }>('/test/users/', async ({ body }) =>
            app.accounts.createUser({ ...body, isVerified: true }),
          )
          app.post<{ Body: { milliseconds: number } }>('/test/advance/', async ({ body }) => {
            advance(body.milliseconds)
            return {}
          })
          app.get<{ Params: { address: string } }>('/test/notices/:address', async ({ params }) => {
            await settle()
            return { count: countNotices(mailer.mails, params.address) }
          })
        },
      },
    )
    return async () => {
      app.server.listen(0, '127.0.0.1')
      await once(app.server, 'listening')
      return (app.server.address() as AddressInfo).port
    }
  },
}

/** Lets all clocks of this process stand still. @returns what advances them */
function holdClocks(begin: number): (milliseconds: number) => void {
  let time = begin
  const Real = Date
  globalThis.Date = class extends Real {
    constructor(...given: ConstructorParameters<typeof Date> | []) {
      super(...((given.length > 0 ? given : [time]) as [number]))
    }
    static override now(): number {
      return time
    }
  } as DateConstructor
  performance.now = () => time - begin
  return (milliseconds) => {
    time += milliseconds
  }
}
